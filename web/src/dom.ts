// Elements with text that stays text: names in a job file can never become markup.

type Child = Node | string | null | undefined;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

export function button(label: string, title: string, pressed: () => void): HTMLButtonElement {
  const element = el('button', {type: 'button', title}, label);
  element.addEventListener('click', pressed);
  return element;
}

export function checkbox(label: string, checked: boolean, changed: (on: boolean) => void, swatch = ''): HTMLLabelElement {
  const input = el('input', {type: 'checkbox'});
  input.checked = checked;
  input.addEventListener('change', () => changed(input.checked));
  const mark = swatch ? el('span', {class: 'swatch ' + swatch}) : null;
  return el('label', {class: 'check'}, input, mark, label);
}
