import { useState } from "preact/hooks"

/** Something that a button does: whether it is under way, and what went wrong. */
export function useTask() {
  const [busy, setBusy] = useState(false)
  const [issue, setIssue] = useState("")
  const run = async (work: () => Promise<unknown>) => {
    const pressed = document.activeElement
    setBusy(true)
    setIssue("")
    try {
      await work()
    } catch (error) {
      setIssue((error as Error).message)
    }
    setBusy(false)
    setTimeout(() => backTo(pressed))
  }
  return { busy, issue, run }
}

/** A button that rests meanwhile loses the focus, which must not be lost to whoever has keys alone. */
function backTo(pressed: Element | null): void {
  const isLost = document.activeElement === document.body
  if (isLost && pressed instanceof HTMLElement) pressed.focus({ preventScroll: true })
}
