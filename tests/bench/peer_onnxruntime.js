// SPDX-License-Identifier: GPL-3.0-or-later
// Times full.onnx and causal.onnx (see peer_onnxruntime.py) on the CPU with 1 and 2 threads.
const ort = require('onnxruntime-node');
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [16, 128, 512, 1024, 2048, 4096];
(async () => {
  for (const threads of [1, 2]) for (const name of ['full', 'causal']) {
    const session = await ort.InferenceSession.create(name + '.onnx', {intraOpNumThreads: threads, interOpNumThreads: 1});
    for (const s of sizes) {
      const x = new ort.Tensor('float32', Float32Array.from({length: s * 512}, () => Math.random() - 0.5), [1, s, 512]);
      await session.run({x});
      const times = [];
      for (let i = 0; i < (s < 512 ? 101 : s < 2048 ? 9 : 5); i++) { const t = performance.now(); await session.run({x}); times.push(performance.now() - t); }
      times.sort((a, b) => a - b);
      console.log('onnxruntime', threads, name, s, times[times.length >> 1].toFixed(4), times[0].toFixed(4));
    }
  }
})();
