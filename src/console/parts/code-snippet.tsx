import { useEffect, useState } from "preact/hooks"
import { changeMade, lastChange } from "../data/request.ts"
import { type CodeSample, type Language, snippetsOf } from "../data/snippets.ts"
import { Choice } from "./choice.tsx"
import { Copy } from "./copy.tsx"

let last: Language = "curl"

const calls = [
  ["screen", "This screen"],
  ["change", "Your last change"],
] as const

function useLastChange(): CodeSample | undefined {
  const [change, setChange] = useState(lastChange)
  useEffect(() => {
    const update = () => setChange(lastChange())
    addEventListener(changeMade, update)
    return () => removeEventListener(changeMade, update)
  }, [])
  return change
}

/** The call of a screen, for programs. */
export function CodeSnippet({ call }: { call: CodeSample }) {
  const [language, setLanguage] = useState(last)
  const [visible, setVisible] = useState<(typeof calls)[number][0]>("screen")
  const change = useLastChange()
  const all = snippetsOf(visible === "change" && change ? change : call)
  const [chosen, text] = all.find(([name]) => name === language) ?? all[0]!
  const choose = (wanted: Language) => {
    last = wanted
    setLanguage(wanted)
  }
  return (
    <section class="same-call" aria-labelledby="same-call">
      <div class="bar">
        <h2 id="same-call">From a program</h2>
        {change && (
          <Choice label="Which call" options={calls} value={visible} onChange={setVisible} />
        )}
        <Choice
          label="Language"
          options={all.map(([name]) => [name, name])}
          value={chosen}
          onChange={choose}
        />
      </div>
      <div class="code-box">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
        <Copy text={text} />
      </div>
    </section>
  )
}
