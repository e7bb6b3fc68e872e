// The page: its header, its three views by the address behind #, and the backend that they share.
import "./style.css";

document.body.append(Object.assign(document.createElement("h1"), { textContent: "MakZero" }));
