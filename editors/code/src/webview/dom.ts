/** Creation of elements, without markup in strings. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | undefined;

/** Creates an element. An attribute that is `false` or `undefined` is left out. */
export function h<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  dress(element, attributes, children);
  return element;
}

/** Creates an SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(name: K, attributes: Attributes = {}, ...children: readonly Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  dress(element, attributes, children);
  return element;
}

function dress(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((c) => c !== undefined));
}

/** Adds a listener to an element and returns the element. */
export function on<E extends Element>(element: E, event: string, heard: (event: Event) => void): E {
  element.addEventListener(event, heard);
  return element;
}
