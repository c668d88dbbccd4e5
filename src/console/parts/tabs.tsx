import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"

interface TabsProps<T extends string> {
  label: string
  tabs: readonly (readonly [id: T, words: string, count?: number])[]
  chosen: NoInfer<T>
  onChoose(id: NoInfer<T>): void
  children: ComponentChildren
}

/** Tabs of a screen, one of them visible. The arrow keys move from tab to tab. */
export function Tabs<T extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = tabs.findIndex(([id]) => id === chosen)
    const next = (at + step + tabs.length) % tabs.length
    onChoose(tabs[next]![0])
    list.current?.querySelectorAll("button")[next]?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
        {tabs.map(([id, words, count]) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === chosen}
            aria-controls={`panel-${id}`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {words} {count !== undefined && <span class="muted">{count.toLocaleString()}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`panel-${chosen}`} aria-labelledby={`tab-${chosen}`}>
        {children}
      </div>
    </>
  )
}
