#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the article's attention in PyTorch: full, causal mask, and chunks of 256 queries."""
import math
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, e, h):
        super().__init__()
        self.h, self.d = h, e // h
        self.qkv_proj, self.out_proj = nn.Linear(e, 3 * e), nn.Linear(e, e)

    def forward(self, x, mask=None, chunk=None):
        b, s, e = x.shape
        q, k, v = (t.transpose(1, 2) for t in self.qkv_proj(x).reshape(b, s, self.h, 3 * self.d).chunk(3, dim=-1))
        parts = []
        for i in range(0, s, chunk or s):
            scores = q[:, :, i:i + (chunk or s)] @ k.transpose(-2, -1) / math.sqrt(self.d)
            if mask is not None:
                scores = scores.masked_fill(mask[i:i + (chunk or s)] == 0, -1e9)
            parts.append(F.softmax(scores, dim=-1) @ v)
        return self.out_proj(torch.cat(parts, dim=2).transpose(1, 2).reshape(b, s, e))


def timed(f, runs):
    f()
    times = []
    for _ in range(runs):
        t = time.perf_counter()
        f()
        times.append(1e3 * (time.perf_counter() - t))
    return sorted(times)[runs // 2], min(times)


torch.manual_seed(0)
model = Attention(512, 8).eval()
with torch.no_grad():
    for threads in (1, 2):
        torch.set_num_threads(threads)
        for s in map(int, sys.argv[1:] or (16, 128, 512, 1024, 2048, 4096)):
            x, tril = torch.randn(1, s, 512), torch.tril(torch.ones(s, s))
            for name, f in (("full", lambda: model(x)), ("causal", lambda: model(x, tril)), ("chunk256", lambda: model(x, chunk=256))):
                print("pytorch", threads, name, s, *("%.4f" % t for t in timed(f, 101 if s < 512 else 7 if s < 2048 else 3)), flush=True)
