# SPDX-License-Identifier: GPL-3.0-or-later
"""HeadScope and Python: layers and attention of PyTorch in HeadScope, its exports and its mask in Python.

    save_layer(path, module, x)         writes a layer and its input, as HeadScope opens them
    save_attention(path, attention)     writes attention weights that were computed elsewhere
    record(model, inputs, path)         runs a Hugging Face model and writes the attention of every layer
    load(path)                          reads what `headscope export` wrote, and .pt files
    show(what)                          opens one of these in the window that is open
    mask()                              the mask of that window, True = allowed

One file that needs numpy only; torch is imported where a module or a .pt file is given. Files are .safetensors or .npz
by their names. In a name of a shape, L counts layers, B sequences, H heads, S tokens, and E is embed_dim.
"""
import base64
import json
import os
import socket
import struct
import sys
import tempfile
from pathlib import Path

import numpy as np

__all__ = ["save_layer", "save_attention", "record", "load", "show", "mask", "Dump", "HeadScopeError"]

# numpy's names of the types of safetensors. BF16 is kept as 16 bits, since numpy has no such type.
TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "U8": "|u1", "BOOL": "|b1", "BF16": "<u2"}
TAGS = {code: tag for tag, code in TYPES.items()}
SLOTS = 8  # files that show() writes; the oldest is replaced


class HeadScopeError(Exception):
    """What HeadScope answered, as a sentence."""


class Dump(dict):
    """Arrays by name, with `metadata` (texts by name), `tokens` (a list, or one for each sequence) and `config`."""

    def __init__(self, arrays, metadata):
        super().__init__(arrays)
        self.metadata = metadata
        self.tokens = json.loads(metadata["tokens"]) if "tokens" in metadata else None
        self.config = json.loads(metadata["config"]) if "config" in metadata else None


# --- numbers and files


def _numbers(value):
    """(type of safetensors, numpy array) of a tensor on any device, an array, or nested lists."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        if str(value.dtype) == "torch.bfloat16":
            import torch

            return "BF16", value.contiguous().view(torch.int16).numpy().view("<u2")
        value = value.numpy()
    array = np.array(value, order="C")
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    code = array.dtype.str
    if code not in TAGS or code == "<u2":
        raise TypeError(f"numbers of type {array.dtype} can't be written; float, int64, int32, uint8 or bool was expected")
    return TAGS[code], array


def _widened(tag, array):
    """bfloat16 as float32, which holds each of its numbers; other types as they are."""
    return (array.astype("<u4") << 16).view("<f4") if tag == "BF16" else array


def _header(entries, metadata, length=None):
    """The header of a safetensors file: its length, then JSON, filled up with blanks to a multiple of 8 or `length`."""
    text = json.dumps({"__metadata__": metadata, **entries} if metadata else entries).encode()
    text += b" " * ((-len(text)) % 8 if length is None else length - len(text))
    return struct.pack("<Q", len(text)) + text


def _replace(path, write):
    """Writes a file beside `path` and renames it, so that a failure leaves the old file."""
    path = Path(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            write(file)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _write(path, tensors, metadata):
    """tensors: (type, array) by name."""
    ending = Path(path).suffix
    if ending == ".npz":
        arrays = {name: _widened(*numbers) for name, numbers in tensors.items()}
        return _replace(path, lambda file: np.savez(file, **arrays, metadata=np.array(json.dumps(metadata))))
    if ending != ".safetensors":
        raise ValueError(f"{path}: the name must end in .safetensors or .npz")
    entries, at = {}, 0
    for name, (tag, array) in tensors.items():
        entries[name] = {"dtype": tag, "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes

    def write(file):
        file.write(_header(entries, metadata))
        for _, array in tensors.values():
            file.write(array.tobytes())

    _replace(path, write)


def _read_safetensors(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        if length > 100_000_000:
            raise ValueError(f"{path}: a header of {length} bytes; this is no safetensors file")
        header = json.loads(file.read(length))
        arrays = {}
        metadata = header.pop("__metadata__", {})
        for name, entry in header.items():
            first, end = entry["data_offsets"]
            file.seek(8 + length + first)
            array = np.frombuffer(file.read(end - first), TYPES[entry["dtype"]]).reshape(entry["shape"])
            arrays[name] = _widened(entry["dtype"], array)
    return Dump(arrays, metadata)


def _read_npz(path):
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    entries = json.loads(str(arrays.pop("metadata"))) if "metadata" in arrays else {}
    metadata = {name: value if isinstance(value, str) else json.dumps(value) for name, value in entries.items()}
    if "tokens" in arrays:
        metadata.setdefault("tokens", json.dumps(arrays["tokens"].tolist()))
    return Dump(arrays, metadata)


def _read_torch(path):
    """The tensors of a .pt file, which is a pickle: PyTorch reads it, restricted to tensors (weights_only)."""
    import torch

    content = torch.load(path, map_location="cpu", weights_only=True)
    while not any(hasattr(value, "detach") for value in content.values()):
        inside = [value for key, value in content.items() if key in ("state_dict", "model_state_dict", "model")]
        if not inside:
            raise ValueError(f"{path}: it holds no tensors, but {', '.join(map(str, content)) or 'nothing'}")
        content = inside[0]
    return {name: value for name, value in content.items() if hasattr(value, "detach")}


def load(path):
    """What a file holds: of .npz and .safetensors a Dump of numpy arrays, of .pt, .pth and .bin a dict of tensors."""
    readers = {".npz": _read_npz, ".safetensors": _read_safetensors}
    readers.update(dict.fromkeys((".pt", ".pth", ".bin"), _read_torch))
    ending = Path(path).suffix
    if ending not in readers:
        raise ValueError(f"{path}: the name must end in one of {', '.join(readers)}")
    return readers[ending](path)


# --- layers and attention


def _mask_text(mask):
    """A mask expression; of a matrix (S,S), True = allowed, the text of a painted mask."""
    if mask is None or isinstance(mask, str):
        return mask
    cells = _numbers(mask)[1]
    if cells.dtype != bool or cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise ValueError(f"mask is {cells.dtype} {cells.shape}; bool (S, S) was expected, True = allowed")
    text = base64.urlsafe_b64encode(np.packbits(cells).tobytes()).decode().rstrip("=")
    return f"painted:{len(cells)}:{text}"


def _heads_of(module):
    """num_heads, as the module, its parts or its configuration call it; None if none of them does."""
    names = ("num_heads", "num_attention_heads", "n_heads", "n_head", "heads")
    for part in module.modules():
        for holder in (part, getattr(part, "config", None)):
            for name in names:
                if isinstance(getattr(holder, name, None), int):
                    return getattr(holder, name)
    return None


def save_layer(path, module, x=None, tokens=None, num_heads=None, mask=None, layout=None, attention=None, prefix=""):
    """Writes one attention layer as HeadScope opens it.

    module: an attention module (nn.MultiheadAttention, or one whose parameters have the names of a family that the
    README lists), a dict of tensors, or the name of a .pt, .safetensors or .npz file; prefix: only its tensors whose
    names begin so. x: the layer's input (S,E) or (B,S,E), always batch first. tokens: a list of S texts, or one for
    each sequence. num_heads: read from the module where it is not given. mask: a mask expression of HeadScope, or bool
    (S,S), True = allowed. layout: of a fused weight, where its name does not say it. attention: recorded (H,S,S) or
    (B,H,S,S), to be compared. A tensor that HeadScope does not compute with is written as well; it refuses the layer
    and names the tensor.
    """
    if isinstance(module, (str, os.PathLike)):
        module = load(module)
    if hasattr(module, "state_dict"):
        num_heads = num_heads or _heads_of(module)
        module = module.state_dict()
    weights = {name[len(prefix) :]: value for name, value in module.items() if name.startswith(prefix)}
    if not weights:
        raise ValueError(f"there is no tensor whose name begins with {prefix!r}; there are {', '.join(module)}")
    if num_heads is None:
        raise ValueError("num_heads is neither given nor an attribute of the module")
    given = {"x": x, "attention": attention}
    weights.update((name, value) for name, value in given.items() if value is not None)
    metadata = {"num_heads": str(int(num_heads)), "mask": _mask_text(mask), "layout": layout}
    if tokens is not None:
        metadata["tokens"] = json.dumps(_texts(tokens))
    metadata = {key: value for key, value in metadata.items() if value is not None}
    _write(path, {name: _numbers(value) for name, value in weights.items()}, metadata)


def _texts(tokens):
    return [str(text) if isinstance(text, (str, bytes)) else [str(one) for one in text] for text in tokens]


def save_attention(path, attention, tokens=None):
    """Writes attention weights: (H,S,S), (L,H,S,S), (L,B,H,S,S), or a list with a tensor (B,H,S,S) for each layer, as
    Hugging Face models return. (B,H,S,S) is taken as B sequences if `tokens` has B lists of texts. Float16 to float64.
    """
    if isinstance(attention, (list, tuple)):
        layers = [_numbers(layer) for layer in attention]
        numbers = layers[0][0], np.stack([array for _, array in layers])
        if numbers[1].ndim == 5 and numbers[1].shape[1] == 1:
            numbers = numbers[0], numbers[1][:, 0]
    else:
        numbers = _numbers(attention)
    shape = numbers[1].shape
    if not 3 <= len(shape) <= 5 or shape[-1] != shape[-2]:
        raise ValueError(f"attention has the shape {shape}; (H,S,S), (L,H,S,S) or (L,B,H,S,S) was expected")
    _write(path, {"attention": numbers}, {} if tokens is None else {"tokens": json.dumps(_texts(tokens))})


class _Eager:
    """Makes a model compute attention step by step while it runs: fused kernels return no weights."""

    def __init__(self, model):
        self.model = model
        config = model.config
        parts = [config] + [v for v in vars(config).values() if hasattr(v, "_attn_implementation")]
        self.before = [(part, getattr(part, "_attn_implementation", None)) for part in parts]

    def _choose(self, part, name):
        if part is self.model.config and hasattr(self.model, "set_attn_implementation"):
            self.model.set_attn_implementation(name)
        elif name is not None:
            part._attn_implementation = name

    def __enter__(self):
        for part, before in self.before:
            if before not in (None, "eager"):
                print(f"headscope: eager attention instead of {before}, which returns no weights", file=sys.stderr)
                self._choose(part, "eager")

    def __exit__(self, *_):
        for part, before in self.before:
            if before not in (None, "eager"):
                self._choose(part, before)


class _Recorder:
    """Writes the attention of each layer to a file as soon as a module of the model has returned it."""

    HEADER = 1 << 20  # bytes that are kept free; the number of layers is known at the end

    def __init__(self, file, size, dtype):
        self.file, self.size, self.dtype = file, size, dtype
        self.shape, self.last, self.layers, self.others = None, None, 0, 0
        file.write(b" " * (8 + self.HEADER))

    def add(self, attention):
        """attention: (B,H,S,S) on any device."""
        if self.shape is None:
            self.shape = tuple(attention.shape)
        if tuple(attention.shape) != self.shape:
            self.others += 1
            return
        import torch

        numbers = attention.detach().to("cpu", torch.float16 if self.dtype == "float16" else torch.float32)
        self.file.write(numbers.contiguous().numpy().tobytes())
        self.layers += 1

    def hook(self, _, __, output):
        """Writes the weights among what a module returns, and hands on an empty tensor in their place: the model would
        keep them until its end."""
        if not isinstance(output, (tuple, list)):
            return None
        found = [i for i, one in enumerate(output) if self._is_attention(one)]
        if not found:
            return None
        if output[found[0]] is not self.last:  # not what a part of this module has returned
            self.last = output[found[0]]
            self.add(self.last)
        if type(output) not in (tuple, list):
            return None
        changed = list(output)
        changed[found[0]] = self.last.new_empty(0)
        return type(output)(changed)

    def _is_attention(self, one):
        return hasattr(one, "shape") and len(one.shape) == 4 and tuple(one.shape[-2:]) == (self.size, self.size)

    def finish(self, tokens):
        if not self.layers:
            return
        shape = [self.layers, *self.shape]
        if shape[1] == 1:
            del shape[1]
        tag = "F16" if self.dtype == "float16" else "F32"
        end = self.file.tell() - 8 - self.HEADER
        entries = {"attention": {"dtype": tag, "shape": shape, "data_offsets": [0, end]}}
        self.file.seek(0)
        self.file.write(_header(entries, {} if tokens is None else {"tokens": json.dumps(tokens)}, self.HEADER))


CROSS = ("crossattention", "encoder_attn", "EncDecAttention", "cross_attn", "multihead_attn")


def record(model, inputs, path="attention.safetensors", tokens=None, tokenizer=None, dtype="float32"):
    """Runs a Hugging Face model on its inputs and writes the attention of every layer to a .safetensors file.

    inputs: what the model is called with, such as tokenizer(text, return_tensors="pt"). tokens: texts, for one sequence
    or each; or tokenizer: it gives them. dtype: float32, or float16 for half the size. Each layer is written when it
    was computed, on whatever device, and is then freed. A model with fused attention is switched to eager attention
    meanwhile, which is said on standard error. Returns `path`. RuntimeError if the model returned no weights.
    """
    import torch

    if dtype not in ("float32", "float16"):
        raise ValueError(f"dtype is {dtype!r}; it must be float32 or float16")
    if Path(path).suffix != ".safetensors":
        raise ValueError(f"{path}: the name must end in .safetensors")
    if getattr(model, "training", False):
        print("headscope: the model is in training mode, where dropout changes the weights", file=sys.stderr)
    inputs = dict(inputs)
    ids = inputs.get("input_ids", inputs.get("inputs_embeds"))
    if tokens is None and tokenizer is not None:
        tokens = [tokenizer.convert_ids_to_tokens(line.tolist()) for line in ids]
        tokens = tokens[0] if len(tokens) == 1 else tokens
    hooks = []

    def run(file):
        recorder = _Recorder(file, ids.shape[1], dtype)
        for name, module in model.named_modules():
            if name and not any(cross in name for cross in CROSS):
                hooks.append(module.register_forward_hook(recorder.hook))
        with torch.no_grad(), _Eager(model):
            output = model(**inputs, output_attentions=True)
        returned = getattr(output, "attentions", None) or getattr(output, "encoder_attentions", None) or ()
        if not recorder.layers:  # a model whose modules don't return them, but that does itself
            for one in returned:
                recorder.hook(None, None, (one,))
        if not recorder.layers:
            raise RuntimeError(
                "the model returned no attention weights; load it with attn_implementation='eager' and try again"
            )
        if recorder.others:
            print(f"headscope: {recorder.others} layers of another shape are left out", file=sys.stderr)
        recorder.finish(None if tokens is None else _texts(tokens))

    try:
        _replace(path, run)
    finally:
        for hook in hooks:
            hook.remove()
    return path


# --- the open window


def _sockets():
    """Those of the windows that this user has open, the newest first. Only a socket of the user's own counts."""
    folder = os.environ.get("XDG_RUNTIME_DIR")
    if not folder:
        import pwd

        folder = os.path.join(tempfile.gettempdir(), f"runtime-{pwd.getpwuid(os.geteuid()).pw_name}")
    found = [(path.stat(), path) for path in Path(folder).glob("headscope-*.socket")]
    own = [(info.st_mtime, path) for info, path in found if info.st_uid == os.getuid()]
    return [path for _, path in sorted(own, reverse=True)]


def _ask(request, timeout):
    """Sends one line of JSON and returns the answer, also one line (docs/python.md)."""
    for path in _sockets():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as window:
            window.settimeout(timeout)
            try:
                window.connect(str(path))
            except OSError:  # left behind by a window that was killed
                continue
            window.sendall(json.dumps({"headscope": 1, **request}).encode() + b"\n")
            answer = b""
            while part := window.recv(1 << 16):
                answer += part
        answer = json.loads(answer or b'{"error": "the window was closed before it answered"}')
        if "error" in answer:
            raise HeadScopeError(answer["error"])
        return answer
    raise HeadScopeError("no HeadScope window of this user is open; start headscope first")


def _slot():
    """The file for the next show(): HeadScope reads it while it is shown, and again after an undo."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "headscope"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    slots = [folder / f"shown-{i}.safetensors" for i in range(1, SLOTS + 1)]
    return min(slots, key=lambda slot: slot.stat().st_mtime_ns if slot.exists() else 0)


def show(what, x=None, *, tokens=None, mask=None, layer=None, timeout=60, **options):
    """Opens a layer or attention in the HeadScope window that is open, and returns when it is shown.

    what: an attention module, a dict of tensors or a .pt file, with x as for save_layer(), which takes the options;
    attention as for save_attention(); or the name of a file that HeadScope opens, with `layer` where it has several.
    mask: an expression, or bool (S,S), True = allowed; without it the window keeps its own. HeadScopeError if the
    window can't show it, or if none is open.
    """
    is_path = isinstance(what, (str, os.PathLike))
    if is_path and Path(what).suffix not in (".pt", ".pth", ".bin"):
        path = Path(what).resolve()
    else:
        path = _slot()
        if is_path or hasattr(what, "state_dict") or isinstance(what, dict):
            save_layer(path, what, x, tokens, **options)
        else:
            save_attention(path, what, tokens)
    request = {"do": "show", "file": str(path), "layer": layer, "mask": _mask_text(mask)}
    _ask({key: str(value) for key, value in request.items() if value is not None}, timeout)


def mask(timeout=60):
    """The mask of the sequence that the window shows, painted or not: bool (S,S), True = allowed."""
    answer = _ask({"do": "mask"}, timeout)
    size, text = answer["size"], answer["cells"]
    cells = np.frombuffer(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), np.uint8)
    return np.unpackbits(cells)[: size * size].reshape(size, size).astype(bool)
