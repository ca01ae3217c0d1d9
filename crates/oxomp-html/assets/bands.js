// Threads that did much the same, as one band: neighbours in the order of their numbers.
const BANDS_FROM = 25, MOST_BANDS = 24, BAND_COLUMNS = 48;
// The shares of each kind in each of some columns of the run; where a thread is not there, none.
function signatureOf(lane, end, kinds) {
  const signature = new Float64Array(BAND_COLUMNS * kinds.length);
  for (let column = 0; column < BAND_COLUMNS; column++) {
    const from = column * end / BAND_COLUMNS, to = (column + 1) * end / BAND_COLUMNS;
    for (const [id, time] of lane.times(from, to)) signature[column * kinds.length + kinds.indexOf(plain(id))] += time / (to - from);
  }
  return signature;
}
// The part of the run in which two signatures differ, from 0 to 1.
function distanceOf(one, other) {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += Math.abs(one[i] - other[i]);
  return sum / 2 / BAND_COLUMNS;
}
// Positions of rows by band: as many bands as rows if these are few.
function bandsOf(rows, end, order) {
  if (rows.length < BANDS_FROM) return rows.map((_, number) => [number]);
  const kinds = order.map((kind) => kind.id);
  const signatures = rows.map((row) => signatureOf(row.lane, end, kinds));
  for (const most of [0.06, 0.1, 0.15, 0.22, 0.32, 0.45, 0.65, 1.1]) {
    const bands = [];
    let mean = null;
    signatures.forEach((signature, number) => {
      const band = bands.at(-1);
      if (!band || distanceOf(mean, signature) > most) {
        bands.push([number]);
        mean = Float64Array.from(signature);
        return;
      }
      band.push(number);
      for (let i = 0; i < mean.length; i++) mean[i] += (signature[i] - mean[i]) / band.length;
    });
    if (bands.length <= MOST_BANDS || most > 1) return bands;
  }
}
// The buttons before the bands, over the canvas: each opens its band.
class BandButtons {
  constructor(timeline) {
    this.timeline = timeline;
    this.box = timeline.canvas.parentElement;
    this.buttons = new Map();
    const all = document.getElementById("timeline-threads");
    all.hidden = timeline.bands.every((band) => band.length === 1);
    all.addEventListener("click", () => {
      const open = all.getAttribute("aria-pressed") !== "true";
      all.setAttribute("aria-pressed", String(open));
      timeline.opened = new Set(open ? timeline.bands.keys() : []);
      timeline.draw();
    });
  }
  // Puts the buttons where the lines of the bands are.
  place(lines) {
    const seen = new Set();
    for (const line of lines) {
      if (line.rows.length === 1) continue;
      seen.add(line.band);
      let button = this.buttons.get(line.band);
      if (!button) {
        button = make("button", "band");
        button.type = "button";
        button.addEventListener("click", () => {
          const { opened } = this.timeline;
          if (!opened.delete(line.band)) opened.add(line.band);
          this.timeline.draw();
        });
        this.buttons.set(line.band, button);
        this.box.append(button);
      }
      const open = this.timeline.opened.has(line.band);
      const names = line.rows.map((number) => this.timeline.rows[number].name.replace("thread ", ""));
      button.textContent = `${open ? "▾" : "▸"} ${names[0]}–${names.at(-1)}`;
      button.setAttribute("aria-expanded", String(open));
      button.setAttribute("aria-label", `threads ${names[0]} to ${names.at(-1)}, ${names.length} that are alike: their mean`);
      button.style.top = `${line.y - 1}px`;
      button.style.width = `${this.timeline.left - 4}px`;
      button.style.height = `${line.height + 2}px`;
    }
    for (const [band, button] of this.buttons) button.hidden = !seen.has(band);
  }
}
