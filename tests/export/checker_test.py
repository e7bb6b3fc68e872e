"""Every exported model passes onnx.checker: checker_test.py FOLDER_OF_SAMPLES. With the distribution's python3-onnx."""
import json
import pathlib
import sys

try:
    import onnx
except ImportError:
    print('skipped: install python3-onnx')
    sys.exit(77)

games = sorted(pathlib.Path(sys.argv[1]).iterdir())
assert len(games) >= 11, games
for folder in games:
    model = onnx.load(folder / "net/model.onnx")
    onnx.checker.check_model(model, full_check=True)
    assert (model.ir_version, model.opset_import[0].version) == (8, 17)
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "N"
    net = json.loads((folder / "net/net.json").read_text())
    for entry in model.metadata_props:
        assert net[entry.key] == entry.value, entry
    assert {entry.key for entry in model.metadata_props} >= {"game", "ruleset", "encoder", "move_index"}
    inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    shapes = {o.name: [d.dim_param or d.dim_value for d in o.type.tensor_type.shape.dim] for o in inferred.graph.output}
    assert shapes == net["outputs"], shapes
    print(f"{folder.name}: {len(model.graph.node)} nodes, {sorted({node.op_type for node in model.graph.node})}")
