"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    head.tabIndex = 0;
    const sort = () => {
      const down = head.getAttribute("aria-sort") === "ascending" || (!head.hasAttribute("aria-sort") && head.classList.contains("number"));
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = row => row.cells[place].dataset.key ?? row.cells[place].textContent;
      const rows = [...table.tBodies[0].rows];
      rows.sort((one, other) => {
        const [a, b] = [key(one), key(other)];
        if (a === "" || b === "") return (a === "") - (b === "");
        const difference = Number(a) - Number(b);
        return (down ? -1 : 1) * (Number.isNaN(difference) ? a.localeCompare(b) : difference);
      });
      table.tBodies[0].append(...rows);
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); } });
  });
}
for (const field of document.querySelectorAll("input[type=search]")) {
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const row of field.closest("details").querySelectorAll("tbody tr")) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}
const copyText = text => {
  if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.body.appendChild(document.createElement("textarea"));
  field.value = text;
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied ? Promise.resolve() : Promise.reject();
};
for (const button of document.querySelectorAll("button.link")) {
  button.hidden = false;
  const say = sign => { button.dataset.sign = sign; setTimeout(() => { delete button.dataset.sign; }, 2000); };
  button.addEventListener("click", () => copyText(button.dataset.link).then(() => say("✓"), () => say("✗")));
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(part => { part.open = true; }));
