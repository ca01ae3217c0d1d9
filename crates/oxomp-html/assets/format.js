// Numbers as text, as in the tables of the page.
const digits = (value) => value < 99.995 ? value.toFixed(2) : value.toFixed(1);
const grouped = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, " ");
function formatTime(ns) {
  if (ns === 0) return "0 s";
  if (ns < 1000) return `${Math.round(ns)} ns`;
  if (ns < 999.5e3) return `${digits(ns / 1e3)} µs`;
  if (ns < 999.5e6) return `${digits(ns / 1e6)} ms`;
  if (ns < 999.5e9) return `${digits(ns / 1e9)} s`;
  return `${grouped(ns / 1e9)} s`;
}
function formatShare(share) {
  if (share > 0 && share < 0.0005) return "< 0.1 %";
  return `${(share * 100).toFixed(1)} %`;
}
const data = JSON.parse(document.getElementById("data").textContent);
// Makes an element with a class and text.
function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}
