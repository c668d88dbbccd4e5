import { useState } from "preact/hooks"

/** Copies a text and confirms it for a moment. */
export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  const [stated, say] = useState("")
  const copy = async () => {
    say((await written(text)) ? "Copied" : "Select it and press Ctrl+C")
    setTimeout(() => say(""), 2_000)
  }
  return (
    <button type="button" class="quiet" onClick={copy}>
      <span aria-live="polite">{stated || label}</span>
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
