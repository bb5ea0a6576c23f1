// A small tooltip: one per page, filled as a list of names and values.
let box = null;

/** Vega's tooltip call: `value` is a string, an object of named values, or empty when the pointer leaves a mark. */
export function tooltip(_handler, event, _item, value) {
  if (value === undefined || value === null || value === '') {
    if (box) box.hidden = true;
    return;
  }
  if (!box) {
    box = document.createElement('div');
    box.className = 'tooltip';
    document.body.append(box);
  }
  box.replaceChildren(content(value));
  box.hidden = false;
  place(box, event.clientX, event.clientY);
}

function content(value) {
  if (typeof value !== 'object') return document.createTextNode(String(value));
  const list = document.createElement('dl');
  for (const [name, entry] of Object.entries(value)) {
    const term = document.createElement('dt');
    const definition = document.createElement('dd');
    term.textContent = name;
    definition.textContent = String(entry);
    list.append(term, definition);
  }
  return list;
}

function place(element, x, y) {
  const {width, height} = element.getBoundingClientRect();
  element.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - width - 4))}px`;
  element.style.top = `${y + 14 + height > innerHeight ? y - height - 10 : y + 14}px`;
}
