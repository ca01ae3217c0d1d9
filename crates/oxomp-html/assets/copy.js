// Copies the verdict as Markdown.
function setUpCopy() {
  const button = document.getElementById("copy");
  const label = button.textContent;
  const say = (text) => { button.textContent = text; setTimeout(() => { button.textContent = label; }, 1500); };
  const byHand = () => {
    const area = make("textarea");
    area.value = data.markdown;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  button.addEventListener("click", async () => {
    let done = false;
    try { await navigator.clipboard.writeText(data.markdown); done = true; } catch { done = byHand(); }
    say(done ? "Copied" : "Could not copy");
  });
}
