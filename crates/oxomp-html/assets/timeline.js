// The timeline of all threads on one canvas: how many worked, which region ran, each thread's time.
// A kind whose number is raised by `facts.summed` is known as a sum only: it is drawn hatched.
const plain = (kind) => kind % data.timeline.summed;
const isSummed = (kind) => kind >= data.timeline.summed;
class Timeline {
  constructor(canvas, facts) {
    this.canvas = canvas;
    this.facts = facts;
    this.order = facts.kinds;
    this.rows = facts.rows.map((row) => ({ ...row, lane: new Lane(row.begin, row.cells) }));
    this.regions = new Lane(0, facts.regions);
    this.constructs = facts.constructs === null ? null : new Lane(0, facts.constructs);
    this.devices = facts.devices ? new Lane(0, facts.devices) : null;
    this.from = 0;
    this.to = facts.end;
    this.selection = null;
    this.bands = bandsOf(this.rows, facts.end, this.order);
    this.opened = new Set();
    this.isGrouped = this.bands.some((band) => band.length > 1);
    const lines = this.bands.length;
    this.rowHeight = lines <= 8 ? 26 : lines <= 24 ? 18 : lines <= 64 ? 9 : 4;
    this.gap = this.rowHeight > 9 ? 4 : this.rowHeight > 4 ? 1 : 0;
    this.chart = 54;
    this.top = 22;
    this.lines = [];
    this.buttons = new BandButtons(this);
  }
  get left() {
    if (this.isGrouped) return this.width < 520 ? 72 : 100;
    return this.width < 520 ? 34 : 84;
  }
  get plot() { return this.width - this.left - 10; }
  get regionsAt() { return this.top + this.chart + 8; }
  get constructsAt() { return this.regionsAt + 21; }
  get devicesAt() { return (this.constructs ? this.constructsAt : this.regionsAt) + 21; }
  get rowsAt() { return this.devicesAt + (this.devices ? 26 : 5); }
  // A line for each band, and below an open one a line for each of its rows.
  layOut() {
    this.lines = [];
    let y = this.rowsAt;
    const add = (rows, band, height, gap) => { this.lines.push({ rows, band, y, height }); y += height + gap; };
    this.bands.forEach((rows, band) => {
      add(rows, band, this.rowHeight, this.gap);
      if (rows.length === 1 || !this.opened.has(band)) return;
      const height = rows.length <= 32 ? 9 : 5;
      rows.forEach((row) => add([row], band, height, 1));
      y += this.gap;
    });
    this.height = y + 6;
  }
  timeAt(x) { return this.from + (x - this.left) / this.plot * (this.to - this.from); }
  xOf(time) { return this.left + (time - this.from) / (this.to - this.from) * this.plot; }
  lineAt(y) { return this.lines.find((line) => y >= line.y && y < line.y + line.height + 1); }
  // The time of each kind of a line in an interval: the mean of its rows.
  timesOf(line, from, to) {
    if (line.rows.length === 1) return this.rows[line.rows[0]].lane.times(from, to);
    const sums = new Map();
    for (const row of line.rows) {
      for (const [kind, time] of this.rows[row].lane.times(from, to)) sums.set(kind, (sums.get(kind) ?? 0) + time / line.rows.length);
    }
    return [...sums];
  }
  // Shows an interval, which stays inside the run and at least ten nanoseconds long.
  show(from, to) {
    const end = this.facts.end;
    const length = Math.min(end, Math.max(to - from, 10));
    this.from = Math.min(Math.max(0, from), end - length);
    this.to = this.from + length;
    this.request();
  }
  zoom(factor, around = (this.from + this.to) / 2) {
    this.show(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }
  move(part) {
    const by = part * (this.to - this.from);
    this.show(this.from + by, this.to + by);
  }
  all() { this.show(0, this.facts.end); }
  request() {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame(() => { this.requested = false; this.draw(); });
  }
  draw() {
    this.width = this.canvas.clientWidth;
    if (this.width === 0) return;
    this.layOut();
    const height = this.height;
    const context = sharpContext(this.canvas, this.width, height);
    this.colours = new Map(this.order.map((kind) => [kind.id, colourOf(kind.colour)]));
    this.ink = colourOfProperty("--ink");
    this.quiet = colourOfProperty("--quiet");
    this.line = colourOfProperty("--line");
    this.paper = colourOfProperty("--paper");
    context.font = "12px system-ui, sans-serif";
    this.drawAxis(context, height);
    this.drawWorking(context);
    this.drawSpans(context, this.regions, this.facts.regionNames, this.regionsAt, "region");
    if (this.constructs) this.drawSpans(context, this.constructs, this.facts.constructNames, this.constructsAt, "construct");
    if (this.devices) this.drawSpans(context, this.devices, this.facts.deviceNames, this.devicesAt, "device");
    this.hatching = this.hatchingOf(context);
    this.lines.forEach((line) => this.drawLine(context, line));
    this.buttons.place(this.lines);
    if (this.selection) {
      const [a, b] = this.selection;
      context.fillStyle = colourOfProperty("--accent");
      context.globalAlpha = 0.2;
      context.fillRect(Math.min(a, b), 0, Math.abs(b - a), height);
      context.globalAlpha = 1;
    }
    this.describe();
  }
  describe() {
    const whole = this.from === 0 && this.to === this.facts.end;
    const span = this.to - this.from;
    document.getElementById("timeline-range").textContent =
      `${whole ? "Whole run, " : `${formatTime(this.from)} to ${formatTime(this.to)}, `}${formatTime(span)}; a column is ${formatTime(span / this.plot)}`;
  }
  drawAxis(context, height) {
    context.fillStyle = this.quiet;
    context.strokeStyle = this.line;
    context.lineWidth = 1;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    for (const tick of ticks(this.from, this.to, this.plot / 95)) {
      const x = Math.round(this.xOf(tick)) + 0.5;
      context.beginPath();
      context.moveTo(x, this.top - 5);
      context.lineTo(x, height);
      context.stroke();
      const text = formatTick(tick, this.to - this.from);
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(Math.max(x, half + 2), this.width - half - 2), 13);
    }
  }
  // The kinds of work, and the same known as sums.
  workingKinds() {
    const { task, useful, serial, summed } = this.facts;
    return [task, useful, serial].flatMap((kind) => [kind, kind + summed]);
  }
  // How many threads did useful work, tasks at the bottom.
  drawWorking(context) {
    const working = this.workingKinds();
    const step = (this.to - this.from) / this.plot;
    const unit = this.chart / Math.max(1, this.rows.length);
    for (let x = 0; x < this.plot; x++) {
      const from = this.from + x * step;
      let below = 0;
      for (const kind of working) {
        let sum = 0;
        for (const { lane } of this.rows) sum += lane.upTo(kind, from + step, lane.cellAt(from + step)) - lane.upTo(kind, from, lane.cellAt(from));
        const height = sum / step * unit;
        if (height <= 0) continue;
        context.fillStyle = this.colours.get(plain(kind));
        context.fillRect(this.left + x, this.top + this.chart - below - height, 1, height);
        if (isSummed(kind)) this.hatch(context, this.left + x, this.top + this.chart - below - height, 1, height);
        below += height;
      }
    }
    context.fillStyle = this.quiet;
    context.textAlign = "right";
    context.textBaseline = "middle";
    const wide = this.left > 40;
    context.fillText(wide ? `${this.rows.length} threads` : String(this.rows.length), this.left - 7, this.top + 6);
    if (wide) context.fillText("working", this.left - 7, this.top + 22);
    context.fillText("0", this.left - 7, this.top + this.chart - 5);
    context.strokeStyle = this.line;
    context.strokeRect(this.left - 0.5, this.top - 0.5, this.plot + 1, this.chart + 1);
  }
  // Calls `paint(x, width, times, pure)` for every column of a row: columns in one cell together.
  columns(lane, paint) {
    const step = (this.to - this.from) / this.plot;
    let x = Math.max(0, Math.floor((lane.begin - this.from) / step));
    const last = Math.min(this.plot, Math.ceil((lane.end - this.from) / step));
    while (x < last) {
      const from = this.from + x * step;
      const cell = lane.cellAt(Math.max(from, lane.begin));
      if (cell >= lane.count) return;
      const inside = Math.floor((lane.ends[cell] - from) / step);
      if (lane.pure[cell] >= 0 && inside >= 1 && from >= lane.beginOf(cell)) {
        const width = Math.min(inside, Math.ceil(last - x));
        paint(x, width, null, lane.pure[cell]);
        x += width;
      } else {
        paint(x, 1, lane.times(from, from + step), -1);
        x += 1;
      }
    }
  }
  drawLine(context, line) {
    const { y, height, rows } = line;
    const step = (this.to - this.from) / this.plot;
    const paint = (x, width, times, pure) => {
      if (times === null) {
        context.fillStyle = this.colours.get(plain(pure));
        context.fillRect(this.left + x, y, width, height);
        if (isSummed(pure)) this.hatch(context, this.left + x, y, width, height);
        return;
      }
      const of = new Map(times);
      let below = 0;
      for (const { id } of this.order) {
        for (const kind of [id, id + this.facts.summed]) {
          const part = (of.get(kind) ?? 0) / step * height;
          if (part <= 0) continue;
          context.fillStyle = this.colours.get(id);
          context.fillRect(this.left + x, y + height - below - part, width, part);
          if (isSummed(kind)) this.hatch(context, this.left + x, y + height - below - part, width, part);
          below += part;
        }
      }
    };
    if (rows.length === 1) this.columns(this.rows[rows[0]].lane, paint);
    else for (let x = 0; x < this.plot; x++) paint(x, 1, this.timesOf(line, this.from + x * step, this.from + (x + 1) * step), -1);
    const row = this.rows[rows[0]];
    const isInside = this.bands[line.band].length > 1;
    const isNamed = isInside ? height >= 9 : this.rowHeight >= 9 || rows[0] % 8 === 0;
    if (rows.length > 1 || !isNamed) return;
    context.fillStyle = isInside ? this.quiet : this.ink;
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.font = isInside ? "9px system-ui, sans-serif" : "12px system-ui, sans-serif";
    const isShort = isInside || this.left <= 72;
    context.fillText(isShort ? row.name.replace("thread ", "") : row.name, this.left - 7, y + height / 2);
  }
  // Stripes in the colour of the paper: where they are, only sums are known.
  hatchingOf(context) {
    const scale = devicePixelRatio || 1, size = Math.round(6 * scale);
    const tile = document.createElement("canvas");
    tile.width = tile.height = size;
    const stripes = tile.getContext("2d");
    stripes.strokeStyle = this.paper;
    stripes.lineWidth = 1.6 * scale;
    for (const shift of [-size, 0, size]) {
      stripes.beginPath();
      stripes.moveTo(shift, size);
      stripes.lineTo(shift + size, 0);
      stripes.stroke();
    }
    const pattern = context.createPattern(tile, "repeat");
    pattern.setTransform(new DOMMatrix().scale(1 / scale));
    return pattern;
  }
  hatch(context, x, y, width, height) {
    context.globalAlpha = 0.6;
    context.fillStyle = this.hatching;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
  }
  // A row that says what ran: shaded by the share of it, with the name where there is room.
  drawSpans(context, lane, names, y, label) {
    const height = 18;
    context.textBaseline = "middle";
    context.textAlign = "right";
    context.fillStyle = this.quiet;
    if (this.left > 40) context.fillText(label, this.left - 7, y + height / 2);
    const step = (this.to - this.from) / this.plot;
    this.columns(lane, (x, width, times, pure) => {
      const share = times === null ? Number(pure !== 0) : times.reduce((sum, [kind, time]) => sum + (kind === 0 ? 0 : time), 0) / step;
      context.fillStyle = this.quiet;
      context.globalAlpha = 0.3 * share;
      context.fillRect(this.left + x, y, width, height);
      context.globalAlpha = 1;
      if (pure <= 0 || width < 24) return;
      context.fillStyle = this.ink;
      context.textAlign = "left";
      const text = fitted(context, names[pure], width - 10);
      if (text) context.fillText(text, this.left + x + 5, y + height / 2 + 0.5);
    });
  }
  // What there is at a point: rows of a tooltip.
  contentAt(x, y) {
    if (x < this.left || x > this.left + this.plot) return null;
    const step = (this.to - this.from) / this.plot;
    const from = this.timeAt(x) - step / 2, to = from + step;
    const region = this.regions.times(from, to).sort((a, b) => b[1] - a[1])[0];
    const construct = this.constructs?.times(from, to).sort((a, b) => b[1] - a[1])[0];
    const inside = construct ? this.facts.constructNames[construct[0]] : "";
    const device = this.devices?.times(from, to).sort((a, b) => b[1] - a[1])[0];
    const beside = device ? this.facts.deviceNames[device[0]] : "";
    const name = (region ? this.facts.regionNames[region[0]] : "") + (inside ? `, ${inside}` : "") + (beside ? `, ${beside}` : "");
    const line = this.lineAt(y);
    if (!line) {
      const working = this.rows.reduce((sum, { lane }) => sum + this.workingKinds()
        .reduce((part, kind) => part + lane.upTo(kind, to, lane.cellAt(to)) - lane.upTo(kind, from, lane.cellAt(from)), 0), 0) / step;
      return [make("b", "", `${working.toFixed(1)} of ${this.rows.length} threads work`), make("p", "", `${name}, at ${formatTime(from)}`)];
    }
    const row = this.rows[line.rows[0]], last = this.rows[line.rows.at(-1)];
    const times = this.timesOf(line, from, to);
    const all = times.reduce((sum, part) => sum + part[1], 0);
    const byKind = new Map();
    for (const [kind, time] of times) byKind.set(plain(kind), (byKind.get(plain(kind)) ?? 0) + time);
    const kind = (id) => this.order.find((one) => one.id === id);
    const title = line.rows.length === 1 ? row.name + (row.initial ? ", initial" : "") : `${row.name} to ${last.name.replace("thread ", "")}, mean of ${line.rows.length}`;
    const content = [make("b", "", title)];
    const shown = [...byKind].sort((a, b) => b[1] - a[1]);
    for (const [id, time] of shown.slice(0, 5)) content.push(tooltipRow(kind(id).colour, kind(id).name, formatShare(time / all)));
    if (times.length === 0) content.push(make("p", "", "not there"));
    const summed = times.reduce((sum, [id, time]) => sum + (isSummed(id) ? time : 0), 0);
    const cell = row.lane.cellAt((from + to) / 2);
    if (line.rows.length === 1 && times.length === 1 && summed === 0 && cell < row.lane.count && row.lane.pure[cell] >= 0) {
      content.push(make("p", "", `for ${formatTime(row.lane.ends[cell] - row.lane.beginOf(cell))}`));
    }
    if (summed > 0) content.push(make("p", "", `${formatShare(summed / all)} of it is known as a sum only`));
    content.push(make("p", "", `${name}, at ${formatTime(from)}`));
    return content;
  }
}
// A text that fits a width, cut if need be; empty if nothing of it fits.
function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let length = Math.floor(text.length * width / context.measureText(text).width);
  while (length > 2 && context.measureText(`${text.slice(0, length)}…`).width > width) length--;
  return length > 2 ? `${text.slice(0, length)}…` : "";
}
