#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the code that HeadScope's mask laboratory gives away in PyTorch, and compares what comes out to its screen.

    mask_code_check.py WRITE_MASK_CODE     the test program of that name; exit status 77 where there is no PyTorch

FlexAttention needs PyTorch 2.5. A stand-in calls its mask_mod and score_mod cell by cell with Python's own numbers.

F.scaled_dot_product_attention needs PyTorch 2. Below that a stand-in after its documentation takes its place, so that
the mask and the arguments that it is given are tried all the same; the last line says which of the two it was.
"""
import json
import math
import subprocess
import sys
import types
from collections import Counter

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print("no PyTorch here")
    sys.exit(77)

# float32: the products are summed in another order than PyTorch's. float64: the same, from far smaller roundings.
# bfloat16: the same bits here, and a unit in the last place of a number up to 1 where other kernels sum in another order.
TOLERANCE = {"float32": 1e-5, "float64": 1e-12, "bfloat16": 2.0**-7}
# Where bfloat16 is rounded at other places than autocast's (the code's notes say so): scores up to 16 are kept to a
# sixteenth, by which a weight, and so the output, may change.
LOOSE_TOLERANCE = 2.0**-4
LOOSE = {
    ("bfloat16", "nn.MultiheadAttention"),
    ("bfloat16", "scaled_dot_product_attention"),
    ("bfloat16", "FlexAttention"),
}


def stand_in(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """The documentation's own equivalent; zeros for a row with nothing to attend to, as since PyTorch 2.5."""
    factor = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    scores = query @ key.transpose(-2, -1) * factor
    allowed = attn_mask if attn_mask.dtype == torch.bool else attn_mask > -math.inf
    if attn_mask.dtype != torch.bool:
        scores = scores + attn_mask
    weights = scores.masked_fill(allowed.logical_not(), -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0)
    return weights.to(value.dtype) @ value


def flex_stand_in(query, key, value, score_mod=None, block_mask=None, scale=None, return_lse=False):
    """FlexAttention as documented: each cell's score by score_mod, and only those that mask_mod allows."""
    factor = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    scores = (query.double() @ key.double().transpose(-2, -1) * factor).tolist()
    for b, heads in enumerate(scores):
        for h, rows in enumerate(heads):
            for i, row in enumerate(rows):
                for j, score in enumerate(row):
                    changed = score_mod(score, b, h, i, j) if score_mod else score
                    row[j] = float(changed) if block_mask(b, h, i, j) else -math.inf
    scores = torch.tensor(scores, dtype=torch.float64)
    lse = scores.logsumexp(dim=-1)
    weights = torch.nan_to_num((scores - lse[..., None]).exp(), nan=0.0)
    context = (weights @ value.double()).to(query.dtype)
    return (context, lse.to(torch.float32 if query.dtype == torch.bfloat16 else query.dtype)) if return_lse else context


def take_plain_numbers():
    """Lets torch.tanh and torch.where take Python's numbers, for a score_mod that is called with them."""
    tanh, where = torch.tanh, torch.where
    torch.tanh = lambda x: math.tanh(x) if isinstance(x, float) else tanh(x)
    torch.where = lambda test, a, b: (a if test else b) if isinstance(test, bool) else where(test, a, b)


def stand_in_for_flex():
    try:
        import torch.nn.attention.flex_attention  # noqa: F401
    except ImportError:
        sys.modules.setdefault("torch.nn.attention", types.ModuleType("torch.nn.attention"))
    module = types.ModuleType("torch.nn.attention.flex_attention")
    module.create_block_mask = lambda mask_mod, *sizes, device=None: mask_mod
    module.flex_attention = flex_stand_in
    sys.modules["torch.nn.attention.flex_attention"] = module
    take_plain_numbers()


def tensor(numbers):
    values = [math.nan if value is None else value for value in numbers["values"]]
    return torch.tensor(values, dtype=torch.float64).reshape(numbers["shape"])


def linear(weight, bias, dtype):
    module = torch.nn.Linear(weight.shape[1], weight.shape[0]).to(dtype)
    module.load_state_dict({"weight": weight.to(dtype), "bias": bias.to(dtype)})
    return module


def difference(shown, computed):
    computed = computed.detach().double()
    if computed.shape != shown.shape:
        return f"shape {tuple(computed.shape)}, shown {tuple(shown.shape)}"
    if not torch.equal(torch.isnan(shown), torch.isnan(computed)):
        return "NaN in other places"
    return (torch.nan_to_num(shown) - torch.nan_to_num(computed)).abs().max().item()


def run(code, group, precision):
    dtype = torch.float64 if precision == "float64" else torch.float32
    given = {"x": tensor(group["x"]).to(dtype)}
    for name in ("qkv", "out"):
        given[name + "_proj"] = linear(tensor(group[name + "_weight"]), tensor(group[name + "_bias"]), dtype)
    exec(compile(code, "copied code", "exec"), given)
    return given["weights"], given["output"]


def main():
    document = subprocess.run([sys.argv[1]], check=True, stdout=subprocess.PIPE).stdout
    real = hasattr(F, "scaled_dot_product_attention")
    if not real:
        F.scaled_dot_product_attention = stand_in
    stand_in_for_flex()
    ran, impossible, faults, worst = Counter(), Counter(), [], Counter()
    for group in json.loads(document):
        for case in group["cases"]:
            shown = tensor(case["weights"]), tensor(case["output"])
            for form in case["forms"]:
                name = form["form"]
                where = f"{name}, mask {case['mask']!r}, fill {case['fill']}, {case['precision']}"
                if form["impossible"]:
                    impossible[name] += 1
                    if form["code"]:
                        faults.append(f"{where}: has code, and is impossible")
                    continue
                ran[name] += 1
                try:
                    computed = run(form["code"], group, case["precision"])
                except Exception as error:  # whatever the copied code does wrong is what is looked for
                    faults.append(f"{where}: {error!r}\n{form['code']}")
                    continue
                for what, s, c in zip(("weights", "output"), shown, computed):
                    off = difference(s, c)
                    key = (case["precision"], name, what)
                    allowed = TOLERANCE[case["precision"]]
                    if key[:2] in LOOSE:
                        allowed = LOOSE_TOLERANCE * max(1, torch.nan_to_num(s).abs().max().item())
                    if isinstance(off, str) or not off <= allowed:
                        faults.append(f"{where}: {what}: {off}\n{form['code']}")
                    else:
                        worst[key] = max(worst[key], off)
    for key, off in sorted(worst.items()):
        print(f"{', '.join(key)}: largest difference {off:.3g}")
    for name in sorted(ran):
        print(f"{name}: {ran[name]} codes ran, {impossible[name]} can't be said")
    print(f"PyTorch {torch.__version__}, scaled_dot_product_attention: {'its own' if real else 'a stand-in'}")
    for fault in faults[:5]:
        print("FAULT", fault)
    print(f"{len(faults)} faults")
    # Each form must have said something, or nothing was tried; and each but masked_fill has something it can't say.
    if faults or len(ran) != 5 or any(not ran[name] or not impossible[name] for name in ran):
        sys.exit(1)


if __name__ == "__main__":
    main()
