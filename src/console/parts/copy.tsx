import { useState } from "preact/hooks"

/** Copies a text and confirms it for a moment. */
export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  const [notice, setNotice] = useState("")
  const copy = async () => {
    setNotice((await written(text)) ? "Copied" : "Select it and press Ctrl+C")
    setTimeout(() => setNotice(""), 2_000)
  }
  return (
    <button type="button" class="quiet" onClick={copy}>
      <span aria-live="polite">{notice || label}</span>
    </button>
  )
}

/** Browsers allow access to the clipboard only on secure pages. */
async function written(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
