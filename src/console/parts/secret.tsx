import { Copy } from "./copy.tsx"

/** A secret that is displayed only once. */
export function Secret({ text, what }: { text: string; what: string }) {
  return (
    <>
      <p>
        <strong>This is {what}. It is displayed only once:</strong> store it in a safe place.
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
