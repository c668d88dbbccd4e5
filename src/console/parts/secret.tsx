import { Copy } from "./copy.tsx"

/** Something that is shown once. */
export function Secret({ text, what }: { text: string; what: string }) {
  return (
    <>
      <p>
        <strong>This is {what}. It is shown this once:</strong> keep it where secrets are kept.
      </p>
      <div class="code-box">
        <pre>
          <code>{text}</code>
        </pre>
        <Copy text={text} />
      </div>
    </>
  )
}
