import { useState } from "preact/hooks"

/** The action of a button: whether it is running, and its error. */
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

/** Returns the focus to a button that was disabled during its action, for users of the keyboard. */
function backTo(pressed: Element | null): void {
  const isLost = document.activeElement === document.body
  if (isLost && pressed instanceof HTMLElement) pressed.focus({ preventScroll: true })
}
