// Keys and search. Everything else works without.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const search = $("search"), live = $("live"), where = $("where");
  const say = (text) => { live.textContent = text; if (where) where.textContent = text; };
  const show = (el) => el.scrollIntoView({ block: "center", behavior: "instant" });

  // On the page of a source: notes of open goals. On the index: rows with open goals.
  const notes = [...document.querySelectorAll(".a[tabindex]")];
  const rows = [...document.querySelectorAll("tr[data-name]")];
  const stops = notes.length ? notes : rows.filter((r) => r.dataset.open !== "0").map((r) => r.querySelector("a")).filter(Boolean);
  let at = -1;
  const jump = (step) => {
    const shown = stops.filter((s) => !s.closest("[hidden]"));
    if (!shown.length) { say("no open goal"); return; }
    const current = shown.indexOf(document.activeElement);
    at = current >= 0 ? current + step : at < 0 && step < 0 ? shown.length - 1 : at + step;
    at = (at + shown.length) % shown.length;
    shown[at].focus({ preventScroll: true });
    show(shown[at]);
    say(`open ${at + 1} of ${shown.length}`);
  };
  $("next")?.addEventListener("click", () => jump(1));
  $("previous")?.addEventListener("click", () => jump(-1));

  // On the index the search hides rows; on the page of a source it goes from line to line.
  const lines = [...document.querySelectorAll(".l")];
  let found = -1;
  const filter = () => {
    const text = search.value.trim().toLowerCase();
    let left = 0;
    for (const row of rows) {
      row.hidden = !row.dataset.name.toLowerCase().includes(text);
      left += row.hidden ? 0 : 1;
    }
    for (const group of document.querySelectorAll("tr.group")) {
      let next = group.nextElementSibling;
      while (next && next.hidden) next = next.nextElementSibling;
      group.hidden = !next || next.classList.contains("group");
    }
    say(`${left} rows`);
  };
  const find = (step) => {
    const text = search.value.toLowerCase();
    lines[found]?.classList.remove("here");
    if (!step) found = -1;
    if (!text) { found = -1; return; }
    const matches = [];
    lines.forEach((line, i) => { if (line.lastElementChild.textContent.toLowerCase().includes(text)) matches.push(i); });
    if (!matches.length) { found = -1; say("not found"); return; }
    let next = step >= 0 ? matches.findIndex((m) => m > found) : matches.findLastIndex((m) => m < found);
    if (next < 0) next = step >= 0 ? 0 : matches.length - 1;
    found = matches[next];
    lines[found].classList.add("here");
    show(lines[found]);
    say(`${next + 1} of ${matches.length}`);
  };
  search.addEventListener("input", () => { if (rows.length) filter(); else find(0); });
  search.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && !rows.length) { e.preventDefault(); find(e.shiftKey ? -1 : 1); }
    if (e.key === "Escape") { search.value = ""; if (rows.length) filter(); else find(0); search.blur(); }
  });
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target === search) return;
    if (e.key === "n") jump(1);
    else if (e.key === "p") jump(-1);
    else if (e.key === "/") { e.preventDefault(); search.focus(); search.select(); }
  });
})();
