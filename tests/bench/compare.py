#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs `headscope bench` and its peers in alternation and prints the ratios of their medians. See README.md."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Our cases, and what of each peer's they are compared with.
MATCHES = {"onnxruntime": {"full": "full", "causal": "causal"}, "pytorch": {"full": "full", "causal": "causal", "chunk:256": "chunk256"}}
LONGEST_OF_PEERS = 4096
# Our cases that are compared with our own "full", and from which length on.
OWN = {"bfloat16": 0, "local:256:0": 1024, "weights": 512}
EMULATED = set()  # cases that the processor has no products for: nothing is wanted of their speed


def goal_of(what, case, size):
    """The least ratio that this project wants, or None."""
    if what == "onnxruntime":
        if case == "causal" and size >= 2048:
            return 2.0
        return 1.0 if size < 64 else 1.2 if size < 512 else 1.15
    if what == "ours" and case not in EMULATED:
        goals = {"bfloat16": 1.7 if size >= 512 else 1.0, "local:256:0": 3.3 if size == 4096 else None, "weights": 0.8 if size == 8192 else None}
        return goals[case]
    return None


def output_of(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    return done.stdout


class Onnxruntime:
    """Needs node with onnxruntime-node in the work folder, and python3 with onnx to write the models there."""

    name = "onnxruntime"

    def __init__(self, work):
        self.work = work
        if not (work / "node_modules" / "onnxruntime-node").is_dir():
            sys.exit(f"onnxruntime-node is missing: cd {work} && npm install --ignore-scripts onnxruntime-node@1.30.0")
        if not (work / "full.onnx").exists():
            output_of(["/usr/bin/python3", HERE / "peer_onnxruntime.py"], cwd=work)

    def lines(self, size):
        environment = dict(os.environ, NODE_PATH=str(self.work / "node_modules"))
        return output_of(["node", HERE / "peer_onnxruntime.js", str(size)], cwd=self.work, env=environment)


class Pytorch:
    """Needs /usr/bin/python3 with torch. OPENBLAS_* would make it pick a slower kernel than it has."""

    name = "pytorch"

    def __init__(self, work):
        self.work = work

    def lines(self, size):
        environment = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
        return output_of(["/usr/bin/python3", HERE / "peer_pytorch.py", str(size)], cwd=self.work, env=environment)


def measure_ours(program, size, cases, threads):
    command = [program, "bench", "--sizes", str(size), "--threads", ",".join(map(str, threads)), "--cases", ",".join(cases)]
    for line in output_of(command).splitlines():
        result = json.loads(line)
        if result.get("emulated"):
            EMULATED.add(result["case"])
        yield (result["case"], result["threads"]), result["median_ms"]


def measure_peer(peer, size):
    for line in peer.lines(size).splitlines():
        _, threads, case, _, median, _ = line.split()
        yield (case, int(threads)), float(median)


def compare(size, peers, threads, program, rounds):
    """Yields (other, case, threads, our median, the other's median) once all rounds of one size are done."""
    peers = [peer for peer in peers if size <= LONGEST_OF_PEERS]
    own = [case for case, shortest in OWN.items() if size >= shortest]
    cases = sorted({"full", *own, *(case for peer in peers for case in MATCHES[peer.name])})
    ours, theirs = {}, {peer.name: {} for peer in peers}
    for _ in range(rounds):
        for peer in peers:
            for key, median in measure_peer(peer, size):
                theirs[peer.name].setdefault(key, []).append(median)
        for key, median in measure_ours(program, size, cases, threads):
            ours.setdefault(key, []).append(median)
    for count in threads:
        for peer in peers:
            for case, its_case in MATCHES[peer.name].items():
                yield peer.name, case, count, statistics.median(ours[case, count]), statistics.median(theirs[peer.name][its_case, count])
        for case in own:
            yield "ours", case, count, statistics.median(ours[case, count]), statistics.median(ours["full", count])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=HERE.parents[1] / "build/release/app/headscope", type=pathlib.Path)
    parser.add_argument("--work", default=HERE.parents[1] / "build/bench", type=pathlib.Path, help="models and node_modules")
    parser.add_argument("--peers", default="onnxruntime,pytorch", help="of these; empty: our own cases alone")
    parser.add_argument("--sizes", default="16,64,128,256,512,1024,2048,4096,8192")
    parser.add_argument("--threads", default="1,2", help="of 1 and 2")
    parser.add_argument("--rounds", default=5, type=int, help="how often each is run in turn")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    known = {peer.name: peer for peer in (Onnxruntime, Pytorch)}
    peers = [known[name](options.work) for name in options.peers.split(",") if name]
    threads = [int(word) for word in options.threads.split(",")]
    missed = 0
    print(f"{'other':12} {'case':12} {'S':>5} {'threads':>7} {'case ms':>9} {'other ms':>9} {'ratio':>6} {'goal':>5}")
    for size in map(int, options.sizes.split(",")):
        for other, case, count, a, b in compare(size, peers, threads, options.program, options.rounds):
            goal = goal_of(other, case, size)
            met = goal is None or b / a >= goal
            missed += not met
            wanted = f"{goal:5.2f}{'' if met else '  missed'}" if goal else ""
            print(f"{other if other != 'ours' else 'full':12} {case:12} {size:5} {count:7} {a:9.3f} {b:9.3f} {b / a:6.2f} {wanted}".rstrip(), flush=True)
    print(f"{missed} of the goals were missed" if missed else "every goal was met")


if __name__ == "__main__":
    main()
