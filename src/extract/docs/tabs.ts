import { lineText } from "../core/index.ts"

/** Shows every panel of a set of tabs, under its label in bold. */
export function labelPanels(root: Element): void {
  for (const set of root.querySelectorAll(".tabbed-set")) {
    const labels = [...set.querySelectorAll(".tabbed-labels > label, :scope > label")].map(lineText)
    const panels = set.querySelectorAll(".tabbed-block, :scope > .tabbed-content")
    const own = [...panels].filter((panel) => !panel.querySelector(".tabbed-block"))
    for (const [index, panel] of own.entries()) label(panel, labels[index])
    for (const element of [...set.querySelectorAll("label, .tabbed-labels, input")])
      element.remove()
  }
  const panels = root.querySelectorAll("[role=tabpanel]")
  if (panels.length > 0) labelByRole(root, [...panels])
  for (const list of [...root.querySelectorAll("[role=tablist]")]) list.remove()
}

/** A tab names its panel, is named by it, or has the same position in its list. */
function labelByRole(root: Element, panels: Element[]): void {
  const byId = new Map<string, Element>()
  const byPanel = new Map<string, Element>()
  for (const tab of root.querySelectorAll("[role=tab]")) {
    addFirst(byId, tab.id, tab)
    addFirst(byPanel, tab.getAttribute("aria-controls"), tab)
  }
  const positions = new Map<Element | null, number>()
  const lists = new Map<Element, Element[]>()
  for (const panel of panels) {
    const { parentElement: parent } = panel
    const around = parent?.parentElement
    const position = positions.get(parent) ?? 0
    positions.set(parent, position + 1)
    for (const name of ["hidden", "aria-hidden", "style"]) panel.removeAttribute(name)
    const named = byId.get(panel.getAttribute("aria-labelledby") ?? "")
    let tab = named ?? byPanel.get(panel.id)
    if (!tab && around) {
      const list = lists.get(around) ?? [...around.querySelectorAll("[role=tablist] [role=tab]")]
      lists.set(around, list)
      tab = list[position]
    }
    if (tab) label(panel, lineText(tab))
  }
}

function addFirst(map: Map<string, Element>, key: string | null, element: Element): void {
  if (key && !map.has(key)) map.set(key, element)
}

function label(panel: Element, text: string | undefined): void {
  if (!text) return
  const line = panel.ownerDocument.createElement("p")
  const strong = panel.ownerDocument.createElement("strong")
  strong.textContent = text
  line.appendChild(strong)
  panel.insertBefore(line, panel.firstChild)
}
