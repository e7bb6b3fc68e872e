#!/usr/bin/env bash
# What only a card can show, in ten minutes: tests and parity of the zoo's networks on it, speed, and a training.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tests/gpu.sh [--device=NAME] [--torch=FOLDER] [--minutes=N] [--jobs=N] [STEP ...]

Without a step all of them run, in this order; each leaves its figures in build/gpu/STEP.json, and all together lie in
build/gpu.json:
  build     the program and the tests, with the LibTorch in FOLDER
  tests     all tests that use the network, on the device
  parity    every network of the zoo in fp32, bf16 and fp16 on the device, against fp32 on the CPU
  bench     evaluations, self-play and learning of networks 6x64 and 10x128
  training  N minutes (5) of Mak-yek from nothing; the network must beat alphabeta:3 by material
  devices   tests and bench on the second card; left out where there is one

--device: cuda (the default), cuda:N, or cpu, which rehearses all of it on a machine without a card: with the preset `quick`,
and benchmarks of a tenth of the length. --torch: where a PyTorch for CUDA lies, as in
  python3 -c 'import torch; print(torch.utils.cmake_prefix_path)'
which is asked where none is named; for cpu the distribution's.
END
}

DEVICE=cuda
TORCH=
MINUTES=5
JOBS=$(nproc)
STEPS=()
for argument in "$@"; do
  case $argument in
    --help | -h) usage; exit 0 ;;
    --device=cpu | --device=cuda | --device=cuda:[0-9]*) DEVICE=${argument#*=} ;;
    --torch=?*) TORCH=${argument#*=} ;;
    --minutes=[0-9]*) MINUTES=${argument#*=} ;;
    --jobs=[1-9]*) JOBS=${argument#*=} ;;
    build | tests | parity | bench | training | devices) STEPS+=("$argument") ;;
    *) echo "tests/gpu.sh: unknown argument '$argument'" >&2; usage >&2; exit 2 ;;
  esac
done
[ ${#STEPS[@]} -gt 0 ] || STEPS=(build tests parity bench training devices)

if [ "$DEVICE" = cpu ]; then TREE=build/release PRESET=quick SECONDS_EACH=0.2; else TREE=build/gpu/tree PRESET=gpu SECONDS_EACH=2; fi
OUT=build/gpu
MAKZERO=$TREE/makzero
mkdir -p $OUT
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

# The tests that use the network; those of play and of training are built on the same evaluator and learner.
NETWORK_TESTS=(nn_torch_evaluator_test nn_learner_test nn_network_test)

step_build() {
  local options=()
  if [ "$DEVICE" != cpu ]; then
    [ -n "$TORCH" ] || TORCH=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)')
    options=(-DCMAKE_PREFIX_PATH="$TORCH")
  fi
  cmake --preset release -B "$TREE" "${options[@]}" > $OUT/configure.log || { cat $OUT/configure.log; return 1; }
  cmake --build "$TREE" -j "$JOBS" --target makzero "${NETWORK_TESTS[@]}" models_zoo_precision_test
  "$MAKZERO" doctor | tee $OUT/doctor.txt
  if [ "$DEVICE" != cpu ] && grep -q 'CUDA  *none' $OUT/doctor.txt; then
    echo "no card can be used: see the line 'CUDA' above" >&2
    return 1
  fi
  python3 -c 'import json, sys; print(json.dumps({"doctor": sys.stdin.read().splitlines()}))' < $OUT/doctor.txt > $OUT/build.json
}

# run_tests DEVICE
run_tests() {
  local name
  for name in "${NETWORK_TESTS[@]}"; do
    echo "$name on $1"
    MAKZERO_ZOO='' MAKZERO_TEST_DEVICE=$1 "$TREE/tests/nn/$name" --gtest_brief=1 --gtest_output="json:$OUT/$name.json"
  done
}

step_tests() {
  run_tests "$DEVICE"
  python3 - "${NETWORK_TESTS[@]/#/$OUT/}" << 'END' > $OUT/tests.json
import json, sys
reports = [json.load(open(f"{name}.json")) for name in sys.argv[1:]]
cases = [case for report in reports for suite in report["testsuites"] for case in suite["testsuite"]]
print(json.dumps({"run": len(cases), "failed": sum("failures" in case for case in cases),
                  "skipped": [case["classname"] + "." + case["name"] for case in cases if case["result"] == "SKIPPED"]}))
END
  cat $OUT/tests.json
}

step_parity() {
  local status=0
  MAKZERO_TEST_DEVICE=$DEVICE "$TREE/tests/models/models_zoo_precision_test" --gtest_brief=1 \
    --gtest_output=json:$OUT/precision.json || status=$?
  python3 - $OUT/precision.json << 'END' > $OUT/parity.json
import json, sys
figures = {}
for suite in json.load(open(sys.argv[1]))["testsuites"]:
    for case in suite["testsuite"]:
        figures[case["value_param"].strip('"')] = {key: float(value) for key, value in case.items()
                                                   if key.endswith(("_value", "_prior"))}
print(json.dumps(figures, indent=1))
END
  cat $OUT/parity.json
  return $status
}

# bench_on DEVICE FILE: the figures of `makzero bench` for both sizes of network.
bench_on() {
  local size
  echo "{" > "$2.json"
  for size in 6x64 10x128; do
    echo "bench $size"
    echo "\"$size\": $("$MAKZERO" bench makyek --preset $PRESET --device "$1" --seconds $SECONDS_EACH --blocks ${size%x*} \
      --channels ${size#*x} --json)" >> "$2.json"
    if [ $size = 6x64 ]; then echo "," >> "$2.json"; fi
  done
  echo "}" >> "$2.json"
}

step_bench() { bench_on "$DEVICE" $OUT/bench; }

step_training() {
  local run=$OUT/run
  rm -rf $run
  "$MAKZERO" train makyek --preset $PRESET --device="$DEVICE" --run $run --minutes "$MINUTES" --rating.time_share=0
  "$MAKZERO" match makyek --a latest --run $run --b alphabeta:3 --games 100 --device "$DEVICE" --json > $OUT/match.json
  python3 - $run $OUT/match.json "$MINUTES" << 'END' > $OUT/training.json
import json, sys
run, match, minutes = sys.argv[1:]
metrics = [json.loads(line) for line in open(f"{run}/metrics.jsonl")]
print(json.dumps({"minutes": float(minutes), "generations": len(metrics), "last": metrics[-1] if metrics else None,
                  "against_alphabeta_3": json.load(open(match))}, indent=1))
END
  python3 - $OUT/match.json << 'END'
import json, sys
score = json.load(open(sys.argv[1]))["score_by_material"]
sys.exit(None if score > 0.5 else f"the network scores {100 * score:.0f} % by material against alphabeta:3: it must beat it")
END
}

step_devices() {
  local cards=0
  if command -v nvidia-smi > /dev/null; then cards=$(nvidia-smi --list-gpus | wc -l); fi
  if [ "$cards" -lt 2 ] || [ "$DEVICE" = cpu ]; then
    echo "$cards cards: nothing to compare"
    echo "{\"cards\": $cards}" > $OUT/devices.json
    return
  fi
  run_tests cuda:1
  bench_on cuda:1 $OUT/devices
}

# What the steps have left, with the versions that they ran with.
collect() {
  python3 - $OUT "$DEVICE" "$("$MAKZERO" --version || echo unknown)" << 'END' > build/gpu.json
import json, os, sys
folder, device, version = sys.argv[1:]
figures = {"program": version, "device": device}
for step in ["build", "tests", "parity", "bench", "training", "devices"]:
    path = f"{folder}/{step}.json"
    if os.path.exists(path):
        figures[step] = json.load(open(path))
print(json.dumps(figures, indent=1))
END
  echo "figures: build/gpu.json"
}

for step in "${STEPS[@]}"; do rm -f "$OUT/$step.json"; done
for step in "${STEPS[@]}"; do
  echo "=== $step"
  start=$SECONDS
  # A subshell that stops at its first failure; as part of a condition it would not.
  set +e
  (set -e; "step_$step")
  status=$?
  set -e
  echo "$step: $((SECONDS - start)) s"
  if [ $status -ne 0 ]; then
    collect
    echo "tests/gpu.sh: step '$step' failed; to repeat it alone: tests/gpu.sh --device=$DEVICE $step" >&2
    exit 1
  fi
done
collect
echo "all passed"
