import { useState } from "preact/hooks"
import { type Language, languages, type ShownCall, snippets } from "../data/snippets.ts"
import { Choice } from "./choice.tsx"
import { Copy } from "./copy.tsx"

let last: Language = "curl"

/** The call of a screen, for programs. */
export function SameCall({ call }: { call: ShownCall }) {
  const [language, setLanguage] = useState(last)
  const text = snippets[language](call)
  const choose = (chosen: Language) => {
    last = chosen
    setLanguage(chosen)
  }
  return (
    <section class="same-call" aria-labelledby="same-call">
      <div class="bar">
        <h2 id="same-call">From a program</h2>
        <Choice
          label="Language"
          options={languages.map((name) => [name, name])}
          value={language}
          onChange={choose}
        />
      </div>
      <div class="code-box">
        <pre>
          <code>{text}</code>
        </pre>
        <Copy text={text} />
      </div>
    </section>
  )
}
