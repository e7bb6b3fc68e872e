# To be sourced with $here set to the pack: the LibTorch of the PyTorch that python3 (or $PYTHON) has.
torch=$("${PYTHON:-python3}" - "$(cat "$here/torch_version")" << 'END'
import importlib.metadata, importlib.util, sys
wanted, found = sys.argv[1], importlib.util.find_spec("torch")
version = importlib.metadata.version("torch").split("+")[0] if found else None
if version != wanted:
    sys.exit(f"makzero: built for PyTorch {wanted}, and {sys.executable} has {version or 'none'}: "
             f"pip install torch=={wanted}, or name the Python that has it: PYTHON=/path/to/python3; "
             "small networks play without")
print(found.submodule_search_locations[0])
END
) || return 1
export LD_LIBRARY_PATH="$torch/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
