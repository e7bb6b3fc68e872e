document.body.append(Object.assign(document.createElement("h1"),{textContent:"MakZero"}));
