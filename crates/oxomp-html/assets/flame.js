// The flame graph: callers above, a click makes a frame as wide as the graph.
function setUpFlame() {
  const graph = document.getElementById("flame-graph");
  if (!graph) return;
  // The frames as a tree below one for the whole run.
  const treeOf = (list) => {
    const frames = list.map(([caller, name, place, own, total, region, deep], id) =>
      ({ id, caller, name, place, own, total, region, deep, children: [] }));
    const root = { id: -1, caller: null, name: "the whole run", place: "", own: 0, total: 0, deep: 1, children: [] };
    for (const frame of frames) {
      const caller = frame.caller === null ? root : frames[frame.caller];
      frame.parent = caller;
      caller.children.push(frame);
      if (caller === root) root.total += frame.total;
    }
    for (const frame of [root, ...frames]) frame.children.sort((a, b) => b.total - a.total || a.id - b.id);
    return root;
  };
  const whole = treeOf(data.flame.frames);
  const folded = data.flame.folded && treeOf(data.flame.folded);
  let root = folded ?? whole, shown = root, search = "";
  const fold = document.getElementById("flame-fold");
  fold.hidden = folded === null;
  fold.addEventListener("click", () => {
    root = root === folded ? whole : folded;
    shown = root;
    fold.setAttribute("aria-pressed", String(root === folded));
    find();
    draw(false);
  });
  const depthOf = (frame) => frame.deep > 1 ? ` ↻ up to ${frame.deep} deep` : "";
  const height = 21;
  const isFound = (frame) => search !== "" && `${frame.name} ${frame.place}`.toLowerCase().includes(search);

  const draw = (focus) => {
    const width = graph.clientWidth;
    if (width === 0) return;
    const buttons = [];
    let deepest = 0, focused = null;
    const place = (frame, left, wide, depth, className) => {
      const button = make("button", className + (frame.region ? " region" : "") + (isFound(frame) ? " found" : ""), wide > 24 ? frame.name + depthOf(frame) : "");
      button.type = "button";
      button.style.left = `${left}px`;
      button.style.top = `${depth * height}px`;
      button.style.width = `${Math.max(1, wide - 0.5)}px`;
      button.setAttribute("aria-label", `${frame.name}${depthOf(frame)}, ${formatShare(frame.total / root.total)} of all samples`);
      button.addEventListener("click", () => { shown = frame; hideTooltip(); draw(true); });
      button.addEventListener("pointermove", (event) => showTooltip(event, describe(frame)));
      button.addEventListener("pointerleave", hideTooltip);
      buttons.push(button);
      deepest = Math.max(deepest, depth);
      if (frame === shown) focused = button;
    };
    const path = [];
    for (let frame = shown.parent; frame; frame = frame.parent) path.unshift(frame);
    path.forEach((frame, depth) => place(frame, 0, width, depth, "above"));
    const walk = (frame, left, wide, depth) => {
      place(frame, left, wide, depth, "");
      let at = left;
      for (const child of frame.children) {
        const part = wide * child.total / frame.total;
        if (part < 1) break;
        walk(child, at, part, depth + 1);
        at += part;
      }
    };
    walk(shown, 0, width, path.length);
    graph.style.height = `${(deepest + 1) * height}px`;
    graph.replaceChildren(...buttons);
    if (focus) focused?.focus({ preventScroll: true });
  };
  const describe = (frame) => [
    make("b", "", frame.name + (frame.region ? " (body of a construct)" : "")), make("p", "", frame.place),
    ...(frame.deep > 1 ? [make("p", "", `calls itself, up to ${frame.deep} deep`)] : []),
    tooltipRow("k-useful", "in it and below", formatShare(frame.total / root.total)),
    tooltipRow("accent", "in itself", formatShare(frame.own / root.total)),
  ];
  const find = () => {
    const text = document.getElementById("flame-found");
    if (search === "") { text.textContent = ""; return; }
    let sum = 0;
    const walk = (frame) => { if (isFound(frame)) sum += frame.total; else frame.children.forEach(walk); };
    root.children.forEach(walk);
    text.textContent = `${formatShare(sum / root.total)} of the samples pass through it`;
  };
  document.getElementById("flame-search").addEventListener("input", (event) => {
    search = event.target.value.trim().toLowerCase();
    find();
    draw(false);
  });
  document.getElementById("flame-reset").addEventListener("click", () => { shown = root; draw(false); });
  graph.addEventListener("keydown", (event) => { if (event.key === "Escape") { shown = root; draw(true); } });
  new ResizeObserver(() => draw(false)).observe(graph);
  draw(false);
}
