// What each thread did in a region: a stacked bar for each, drawn when the region is opened.
const SVG = document.querySelector("svg")?.namespaceURI ?? "";
function drawRegionThreads(box) {
  if (box.dataset.drawn) return;
  box.dataset.drawn = "yes";
  const threads = data.regionThreads[box.dataset.region] ?? [];
  if (threads.length === 0) {
    box.replaceChildren(make("p", "quiet", "Its calls were summed up, or there was no room for them: times by thread are not here."));
    return;
  }
  const totals = threads.map(([, times]) => times.reduce((sum, time) => sum + time, 0));
  const most = Math.max(...totals);
  box.replaceChildren(...threads.map(([number, times], i) => {
    const row = make("div", "thread");
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", "bar");
    svg.setAttribute("viewBox", "0 0 1000 10");
    svg.setAttribute("preserveAspectRatio", "none");
    let from = 0;
    for (const kind of data.timeline.kinds) {
      const time = times[kind.id];
      if (!time) continue;
      const rect = document.createElementNS(SVG, "rect");
      const set = { class: kind.colour, x: from / most * 1000, y: 0, width: time / most * 1000, height: 10 };
      for (const [name, value] of Object.entries(set)) rect.setAttribute(name, value);
      const title = document.createElementNS(SVG, "title");
      title.textContent = `${kind.name}: ${formatTime(time)} (${formatShare(time / totals[i])})`;
      rect.append(title);
      svg.append(rect);
      from += time;
    }
    row.append(make("span", "name", `thread ${number}`), svg, make("span", "n", formatTime(totals[i])));
    return row;
  }));
}
