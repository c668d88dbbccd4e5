import { useState } from "preact/hooks"

/** Something that a button does: whether it is under way, and what went wrong. */
export function useTask() {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState("")
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setFault("")
    try {
      await work()
    } catch (error) {
      setFault((error as Error).message)
    }
    setBusy(false)
  }
  return { busy, fault, run }
}
