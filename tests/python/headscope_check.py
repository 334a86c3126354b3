#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""resources/python/headscope.py: what it writes is opened by HeadScope, whose numbers are compared to PyTorch's.

    headscope_check.py HEADSCOPE        the program; exit status 77 where there is no numpy

Tests that need PyTorch are skipped where there is none, and the last line says so.
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("no numpy here")
    sys.exit(77)
try:
    import torch
except ImportError:
    torch = None

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources/python"))
import headscope  # noqa: E402

PROGRAM = sys.argv.pop(1)
TOLERANCE = 1e-5
TOKENS = ["the", "cat", "sat", "naïve 猫 \" \\ \n", "</s>"]
needs_torch = unittest.skipIf(torch is None, "no PyTorch here")


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def some_attention(*shape):
    return softmax(np.random.default_rng(1).normal(size=shape)).astype(np.float32)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name):
        return self.folder / name

    def opened(self, path, *options):
        """Every tensor that HeadScope computed from a file."""
        out = self.file("opened.npz")
        command = [PROGRAM, "export", out, "--weights", path, "--sequence", "all", *options]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return headscope.load(out)

    def refused(self, path, *options):
        done = subprocess.run([PROGRAM, "export", self.file("no.npz"), "--weights", path, *options],
                              capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def near(self, a, b, tolerance=TOLERANCE):
        a, b = (headscope._numbers(t)[1] for t in (a, b))
        self.assertEqual(a.shape, b.shape)
        self.assertLessEqual(np.abs(a - b).max(), tolerance)


class Attention(Folder):
    def test_a_layer_of_heads(self):
        attention = some_attention(3, 5, 5)
        for name in ("a.npz", "a.safetensors"):
            headscope.save_attention(self.file(name), attention, TOKENS)
            dump = self.opened(self.file(name))
            self.near(dump["attention"], attention[None])
            self.assertEqual(dump.tokens, [TOKENS])

    def test_layers_and_sequences(self):
        attention = some_attention(2, 3, 4, 5, 5)
        lines = [TOKENS, TOKENS[::-1], ["a"] * 5]
        headscope.save_attention(self.file("a.safetensors"), attention, lines)
        for layer in range(2):
            dump = self.opened(self.file("a.safetensors"), "--layer", str(layer))
            self.near(dump["attention"], attention[layer])
            self.assertEqual(dump.tokens, lines)

    def test_a_list_of_layers_as_models_return_them(self):
        attention = some_attention(2, 1, 3, 5, 5)
        headscope.save_attention(self.file("a.safetensors"), list(attention), TOKENS)
        self.near(self.opened(self.file("a.safetensors"), "--layer", "1")["attention"], attention[1])

    def test_what_is_written_is_read_again(self):
        for kind in (np.float16, np.float32, np.float64):
            attention = some_attention(3, 5, 5).astype(kind)
            for name in ("a.npz", "a.safetensors"):
                headscope.save_attention(self.file(name), attention.swapaxes(1, 2), TOKENS)
                dump = headscope.load(self.file(name))
                self.assertEqual(dump["attention"].dtype, kind)
                np.testing.assert_array_equal(dump["attention"], attention.swapaxes(1, 2))
                self.assertEqual(dump.tokens, TOKENS)

    def test_what_is_none(self):
        with self.assertRaisesRegex(ValueError, r"\(3, 5, 4\); \(H,S,S\)"):
            headscope.save_attention(self.file("a.npz"), some_attention(3, 5, 4))
        with self.assertRaisesRegex(ValueError, "must end in .safetensors or .npz"):
            headscope.save_attention(self.file("a.bin"), some_attention(3, 5, 5))
        with self.assertRaisesRegex(TypeError, "complex64 can't be written"):
            headscope.save_attention(self.file("a.npz"), some_attention(3, 5, 5) * 1j)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_failed_write_leaves_the_old_file(self):
        path = self.file("a.safetensors")
        headscope.save_attention(path, some_attention(3, 5, 5))
        before = path.read_bytes()
        with self.assertRaises(ZeroDivisionError):
            headscope._replace(path, lambda file: file.write(b"half") / 0)
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual(list(self.folder.iterdir()), [path])


class Layer(Folder):
    def article(self, embed_dim=8, heads=2):
        random = np.random.default_rng(3)
        shapes = {"qkv_proj.weight": (3 * embed_dim, embed_dim), "qkv_proj.bias": (3 * embed_dim,),
                  "out_proj.weight": (embed_dim, embed_dim), "out_proj.bias": (embed_dim,)}
        return {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}

    def test_arrays_without_torch(self):
        weights, x = self.article(), np.random.default_rng(4).normal(size=(5, 8)).astype(np.float32)
        headscope.save_layer(self.file("l.npz"), weights, x, TOKENS, num_heads=2)
        qkv = (x @ weights["qkv_proj.weight"].T + weights["qkv_proj.bias"]).reshape(5, 2, 12).swapaxes(0, 1)
        q, k = qkv[..., :4], qkv[..., 4:8]
        dump = self.opened(self.file("l.npz"))
        self.near(dump["weights"][0], softmax(q @ k.swapaxes(1, 2) / 2))
        self.assertEqual(dump.config["num_heads"], 2)

    def test_a_painted_mask(self):
        allowed = np.random.default_rng(5).random((5, 5)) < 0.5
        x = np.zeros((5, 8), np.float32)
        headscope.save_layer(self.file("l.npz"), self.article(), x, TOKENS, num_heads=2, mask=allowed)
        np.testing.assert_array_equal(self.opened(self.file("l.npz"))["mask"][0, 0], allowed)
        with self.assertRaisesRegex(ValueError, r"float64 \(5, 5\); bool \(S, S\)"):
            headscope.save_layer(self.file("m.npz"), self.article(), x, num_heads=2, mask=allowed * 1.0)

    def test_a_part_of_a_model_by_its_prefix(self):
        model = {"h.1.attn." + name: value for name, value in self.article().items()}
        model["h.2.attn.qkv_proj.weight"] = np.zeros((1, 1))
        x = np.ones((5, 8), np.float32)
        headscope.save_layer(self.file("l.safetensors"), model, x, num_heads=2, prefix="h.1.attn.")
        self.opened(self.file("l.safetensors"))
        with self.assertRaisesRegex(ValueError, "no tensor whose name begins with 'h.3.'"):
            headscope.save_layer(self.file("l.safetensors"), model, x, num_heads=2, prefix="h.3.")
        with self.assertRaisesRegex(ValueError, "num_heads is neither given"):
            headscope.save_layer(self.file("l.safetensors"), model, x, prefix="h.1.attn.")

    @needs_torch
    def test_multihead_attention(self):
        for masked in (False, True):
            for biases in (True, False):
                torch.manual_seed(7)
                module = torch.nn.MultiheadAttention(16, 4, bias=biases, batch_first=True).eval()
                x = torch.randn(2, 5, 16)
                lower = torch.ones(5, 5).tril().bool() if masked else None
                output, weights = module(x, x, x, attn_mask=None if lower is None else ~lower,
                                         average_attn_weights=False)
                path = self.file("mha.safetensors")
                headscope.save_layer(path, module, x, [TOKENS, TOKENS], mask=lower, attention=weights.detach())
                dump = self.opened(path)
                self.near(dump["weights"], weights.detach())
                self.near(dump["output"], output.detach())

    @needs_torch
    def test_half_types(self):
        torch.manual_seed(7)
        module = torch.nn.MultiheadAttention(16, 4, batch_first=True).to(torch.bfloat16)
        x = torch.randn(5, 16).to(torch.bfloat16)
        whole = torch.nn.MultiheadAttention(16, 4, batch_first=True)
        whole.load_state_dict({name: value.float() for name, value in module.state_dict().items()})
        weights = whole(x.float()[None], x.float()[None], x.float()[None], average_attn_weights=False)[1]
        for name in ("h.npz", "h.safetensors"):
            headscope.save_layer(self.file(name), module, x, TOKENS)
            self.near(self.opened(self.file(name))["weights"], weights.detach())
            np.testing.assert_array_equal(headscope.load(self.file(name))["x"], x.float().numpy())

    @needs_torch
    def test_a_tensor_that_is_not_computed_is_named(self):
        module = torch.nn.MultiheadAttention(16, 4, add_bias_kv=True, batch_first=True)
        headscope.save_layer(self.file("l.npz"), module, torch.randn(5, 16))
        self.assertIn("bias_k", self.refused(self.file("l.npz")))

    @needs_torch
    def test_pickles_are_read_as_tensors_only(self):
        module = torch.nn.MultiheadAttention(16, 4, batch_first=True)
        x = torch.randn(5, 16)
        torch.save({"epoch": 3, "state_dict": module.state_dict()}, self.file("m.pt"))
        headscope.save_layer(self.file("l.npz"), self.file("m.pt"), x, num_heads=4)
        self.near(self.opened(self.file("l.npz"))["weights"],
                  module(x[None], x[None], x[None], average_attn_weights=False)[1].detach())
        torch.save(module, self.file("whole.pt"))  # a module, which only code can restore
        with self.assertRaises(Exception):
            headscope.load(self.file("whole.pt"))


if torch is not None:

    class Attend(torch.nn.Module):
        """An attention module in the manner of Hugging Face."""

        def __init__(self, config):
            super().__init__()
            self.heads, self.config = config.num_attention_heads, config
            self.q_proj, self.k_proj, self.v_proj, self.o_proj = (torch.nn.Linear(16, 16) for _ in range(4))

        def forward(self, x, output_attentions=False):
            B, S, E = x.shape
            q, k, v = (p(x).view(B, S, self.heads, -1).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
            weights = (q @ k.transpose(2, 3) / (E / self.heads) ** 0.5).softmax(-1)
            output = self.o_proj((weights @ v).transpose(1, 2).reshape(B, S, E))
            fused = getattr(self.config, "_attn_implementation", "eager") != "eager"
            return (output, None) if fused or not output_attentions else (output, weights)

    class Block(torch.nn.Module):
        def __init__(self, config):
            super().__init__()
            self.attn = Attend(config)

        def forward(self, x, output_attentions=False):
            attended = self.attn(x, output_attentions)
            return (x + attended[0], *attended[1:])  # the same weights once more, as decoder layers return them

    class Output:
        def __init__(self, attentions):
            self.attentions = attentions

    class Config:
        num_attention_heads = 4

        def __init__(self, implementation=None):
            if implementation:
                self._attn_implementation = implementation

    class Model(torch.nn.Module):
        """What record() needs of a Hugging Face model. settable: of a version that has set_attn_implementation()."""

        def __init__(self, implementation=None, settable=False, layers=3):
            super().__init__()
            torch.manual_seed(11)
            self.config, self.changes = Config(implementation), []
            self.embed = torch.nn.Embedding(20, 16)
            self.h = torch.nn.ModuleList(Block(self.config) for _ in range(layers))
            if settable:
                self.set_attn_implementation = self._set

        def _set(self, name):
            self.changes.append(name)
            self.config._attn_implementation = name

        def forward(self, input_ids, attention_mask=None, output_attentions=False):
            x, seen = self.embed(input_ids), ()
            for block in self.h:
                x, weights = block(x, output_attentions)
                seen += (weights,)
            return Output(seen if output_attentions else None)

    class Tokenizer:
        def convert_ids_to_tokens(self, ids):
            return [f"<{i}>" for i in ids]


@needs_torch
class Record(Folder):
    IDS = [[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]]

    def expected(self, ids):
        with torch.no_grad():
            return torch.stack(Model().eval()(torch.tensor(ids), output_attentions=True).attentions).numpy()

    def check(self, model, ids, **options):
        path = headscope.record(model.eval(), {"input_ids": torch.tensor(ids)}, self.file("r.safetensors"), **options)
        expected = self.expected(ids)
        tolerance = 1e-3 if options.get("dtype") == "float16" else TOLERANCE
        for layer in range(len(model.h)):
            self.near(self.opened(path, "--layer", str(layer))["attention"], expected[layer], tolerance)
        return path

    def test_every_layer_of_one_and_of_two_sequences(self):
        dump = headscope.load(self.check(Model("eager"), self.IDS[:1], tokens=TOKENS))
        self.assertEqual(dump["attention"].shape, (3, 4, 5, 5))
        dump = headscope.load(self.check(Model("eager"), self.IDS, tokenizer=Tokenizer()))
        self.assertEqual(dump["attention"].shape, (3, 2, 4, 5, 5))
        self.assertEqual(dump.tokens[1], ["<9>", "<2>", "<6>", "<5>", "<3>"])

    def test_float16(self):
        dump = headscope.load(self.check(Model(), self.IDS[:1], dtype="float16"))
        self.assertEqual(dump["attention"].dtype, np.float16)

    def test_fused_models_are_switched_and_back(self):
        self.check(Model("sdpa"), self.IDS[:1])
        model = Model("sdpa", settable=True)
        self.check(model, self.IDS[:1])
        self.assertEqual(model.changes, ["eager", "sdpa"])
        self.assertFalse(any(module._forward_hooks for module in model.modules()))

    def test_a_model_that_returns_no_weights(self):
        model = Model("eager")
        model.forward = lambda input_ids, output_attentions: Output(None)
        path = self.file("r.safetensors")
        with self.assertRaisesRegex(RuntimeError, "attn_implementation='eager'"):
            headscope.record(model, {"input_ids": torch.tensor(self.IDS)}, path)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_model_whose_modules_return_none_themselves(self):
        model = Model("eager")
        with torch.no_grad():
            known = model(torch.tensor(self.IDS[:1]), output_attentions=True).attentions
        model.forward = lambda input_ids, output_attentions: Output(known)
        self.check(model, self.IDS[:1])

    def test_layers_are_freed_as_they_are_written(self):
        model, kept = Model("eager"), []
        plain = model.forward
        model.forward = lambda *args, **options: kept.append(plain(*args, **options)) or kept[-1]
        headscope.record(model, {"input_ids": torch.tensor(self.IDS)}, self.file("r.safetensors"))
        self.assertEqual([weights.numel() for weights in kept[0].attentions], [0, 0, 0])


class Window(Folder):
    def test_without_one(self):
        import os

        os.environ["XDG_RUNTIME_DIR"] = str(self.folder)
        (self.folder / "headscope-1.socket").touch()  # no window listens here
        with self.assertRaisesRegex(headscope.HeadScopeError, "no HeadScope window"):
            headscope.mask()


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    print(f"PyTorch: {torch.__version__ if torch else 'none here'}")
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
