#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the scripts that `headscope export OUT.py` writes in PyTorch, for every mask pattern, fill and source of weights.

    script_check.py HEADSCOPE [--all]     the program; exit status 77 where there is no PyTorch

Without --all each mask is tried with every fill where the weights are formulas, and with one of them for each layout of
a file.
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

try:
    import numpy as np
    import torch
except ImportError as error:
    print(f"no PyTorch here: {error}")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources/python"))
import headscope  # noqa: E402

PROGRAM = sys.argv[1]
MASKS = [
    "none", "padding", "causal", "padding,causal", "local:1:0", "local:2:1,causal", "strided:2", "strided:3,causal",
    "dilated:1:1:2", "global:1", "block:2", "prefix:2", "causal+prefix:3", "documents:2:3", "causal,documents:1:4",
    "random:2:1", "causal,random:1:7+local:0:0", "logarithmic", "causal,logarithmic", "local:1:0+global:1",
    "padding+global:1", "file:cells.json", "file:cells.json,causal",
]
CELLS = np.array([[i % 3 > 0 and j <= i for j in range(6)] for i in range(6)])  # with two fully masked rows
MASKS += [headscope._mask_text(CELLS), headscope._mask_text(CELLS.T) + ",padding"]
FILLS = ["safe", "inf", "1e9"]
TOKENS = "the \"cat\" 猫😀 a\\b </s> naïve\n'q' [PAD]"


def write_layers(folder):
    """A file of each layout: its name, by the options that open it."""
    random = np.random.default_rng(5)
    x = random.normal(size=(2, 6, 16))
    tokens = [["a", "b", "c", "d", "e", "f"], ["g", "h", "[PAD]", "[PAD]", "[PAD]", "[PAD]"]]

    def layer(name, kind=np.float32, given=x, **shapes):
        weights = {key.replace("__", "."): random.normal(size=shape).astype(kind) for key, shape in shapes.items()}
        given = None if given is None else given.astype(kind)
        headscope.save_layer(folder / name, weights, given, None if given is None else tokens, num_heads=4)
        return ["--weights", name] + (["--tokens", TOKENS] if given is None else [])

    out = dict(out_proj__weight=(16, 16), out_proj__bias=(16,))
    parts = {f"{part}_proj__{kind}": size for part in "qkv" for kind, size in (("weight", (16, 16)), ("bias", (16,)))}
    return {
        "interleaved": layer("article.safetensors", qkv_proj__weight=(48, 16), qkv_proj__bias=(48,), **out),
        "blocks": layer("torch.npz", in_proj_weight=(48, 16), in_proj_bias=(48,), **out),
        "transposed": layer("gpt2.npz", c_attn__weight=(16, 48), c_attn__bias=(48,), c_proj__weight=(16, 16)),
        "separate, float64": layer("bart.npz", np.float64, **parts, **out),
        "without x": layer("no_x.npz", given=None, in_proj_weight=(48, 16), **out),
    }


def export(folder, options):
    command = [PROGRAM, "export", "layer.py", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return (folder / "layer.py").read_text(encoding="utf-8")


def run(code, folder):
    """Runs a script; it prints, and asserts by itself. What it defined."""
    given = {"__file__": str(folder / "layer.py"), "print": lambda *_: None}
    exec(compile(code, "layer.py", "exec"), given)
    return given


def cases(layers, every):
    """(what, options) of everything that is tried."""
    sources = {
        "textbook": ["--tokens", TOKENS, "--embed-dim", "64", "--num-heads", "8"],
        "seed": ["--tokens", TOKENS, "--weights", "seed", "--seed", "42", "--embed-dim", "16", "--num-heads", "4"],
        **layers,
    }
    for source, (n, mask), fill in itertools.product(sources, enumerate(MASKS), FILLS):
        if every or source not in layers or FILLS[n % 3] == fill:
            yield source, [*sources[source], "--mask", mask, "--fill", fill]
    for seed in ("0", "4294967295", "5000000000", str(2**63), str(2**64 - 1)):
        yield "seed", [*sources["seed"], "--seed", seed]
    for source in sources:
        for more in (["--precision", "float64"], ["--scale", "0.3"], ["--chunk-size", "2", "--key-chunk-size", "2"]):
            yield source, [*sources[source], "--mask", "causal", *more]
    yield "seed", [*sources["seed"], "--tokens", " ".join("abcdefgh" * 17)]  # too many numbers for the script


def must_fail(folder):
    """A script of other weights, and one of another mask: each must notice. What did not."""
    seeded = export(folder, ["--weights", "seed", "--seed", "42", "--embed-dim", "16", "--num-heads", "4"])
    changes = {"another seed": ("manual_seed(42)", "manual_seed(43)"),
               "another mask": ("mask = torch.ones(B, 1, S, S", "mask = torch.eye(S).repeat(B, 1, 1, 1) > torch.zeros(B, 1, S, S")}
    for what, (before, after) in changes.items():
        assert before in seeded
        try:
            run(seeded.replace(before, after).replace(", dtype=torch.bool)", ")"), folder)
            yield f"a script with {what} did not notice"
        except AssertionError:
            pass


def refused(folder):
    """What has no script, with the reason on standard error. What was written all the same."""
    headscope.save_attention(folder / "recorded.npz", np.full((1, 2, 2), 0.5))
    for options, reason in ((["--precision", "float16"], "float16"), (["--weights", "recorded.npz"], "recorded attention")):
        try:
            export(folder, options)
            yield f"{options} was written"
        except RuntimeError as error:
            if reason not in str(error):
                yield f"{options}: {error}"


def main():
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    ran, faults, worst, alone = Counter(), [], Counter(), Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cells.json").write_text(json.dumps(CELLS.astype(int).tolist()))
        for source, options in cases(write_layers(folder), "--all" in sys.argv):
            (folder / "layer.py.npz").unlink(missing_ok=True)
            ran[source] += 1
            try:
                code = export(folder, options)
                worst[source] = max(worst[source], run(code, folder)["difference"])
                alone[source] += not (folder / "layer.py.npz").exists()
            except Exception as error:  # whatever is wrong with a script is what is looked for
                faults.append(f"{source} {options}: {error!r}")
        faults += [*must_fail(folder), *refused(folder)]
    for source, count in ran.items():
        print(f"{source}: {count} scripts, {alone[source]} without a file, largest difference {worst[source]:.2g}")
    if alone["seed"] != ran["seed"] - 1 or sum(alone.values()) != alone["seed"]:
        faults.append("a seeded layer needs no file, except for many weights; every other one does")
    for fault in faults[:10]:
        print("FAULT", fault)
    print(f"PyTorch {torch.__version__}: {sum(ran.values())} scripts, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
