import { useEffect, useState } from "preact/hooks"
import { isErrorItem } from "../../data/keyless.ts"
import { sourceCall } from "../../data/page/page-call.ts"
import { checkFields, type PickedField } from "../../data/page/picked-fields.ts"
import { useRun } from "../../hooks/use-run.ts"
import { useTask } from "../../hooks/use-task.ts"
import { ErrorMessage } from "../error-message.tsx"
import { Progress } from "../progress.tsx"
import { Scroll } from "../scroll.tsx"
import { TableHead } from "../table-head.tsx"

interface SecondPageProps {
  /** Lines of fields, as `name: selector @type`. */
  lines: string[]
  rows: string
  renderScripts: boolean
}

/**
 * Reads another page of the same kind with the fields so far, to check which of them work there.
 */
export function SecondPage({ lines, rows, renderScripts }: SecondPageProps) {
  const [url, setUrl] = useState("")
  const run = useRun()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    run.start(sourceCall(url.trim(), renderScripts))
  }
  return (
    <section class="second-page" aria-labelledby="second-page">
      <h3 id="second-page">Check on a second page</h3>
      <form class="fields-in-row" onSubmit={submit}>
        <div class="field grow">
          <label for="second-url">URL of another page like this one</label>
          <input
            id="second-url"
            type="text"
            inputMode="url"
            autocapitalize="none"
            spellcheck={false}
            required
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        </div>
        <button type="submit">Check</button>
      </form>
      <Progress run={run}>
        {({ response: { items } }) => {
          const [item] = items
          if (!item || isErrorItem(item))
            return <ErrorMessage>{item?.error.message ?? ""}</ErrorMessage>
          const page = { html: String(item.html ?? ""), url: String(item.finalUrl ?? url), rows }
          return <Values key={page.url} page={page} lines={lines} />
        }}
      </Progress>
    </section>
  )
}

interface ValuesProps {
  page: { html: string; url: string; rows: string }
  lines: string[]
}

/** Maximum fields of one call. */
const maxAtOnce = 20

function Values({ page, lines }: ValuesProps) {
  const [picked, setPicked] = useState<PickedField[]>()
  const { issue, run } = useTask()
  useEffect(() => {
    const leaving = new AbortController()
    const readings = lines.slice(0, maxAtOnce).map(readingIn)
    void run(async () => {
      const { fields } = await checkFields(page, readings, leaving.signal)
      if (!leaving.signal.aborted) setPicked(fields)
    })
    return () => leaving.abort()
  }, [JSON.stringify([lines, page.rows])])
  if (issue) return <ErrorMessage>{issue}</ErrorMessage>
  if (!picked) return <p class="muted">Checking …</p>
  const missing = picked.filter(({ count }) => count === 0).length
  return (
    <>
      <p class={missing > 0 ? "notice bad" : "notice"} role="status">
        {missing > 0
          ? `${missing} of ${picked.length} fields match nothing there. Pick them again with another selector.`
          : "All fields match there."}
      </p>
      <Scroll label="Fields on the second page">
        <table class="list as-cards">
          <TableHead names={["Field", "Value there"]} />
          <tbody>
            {picked.map(({ count, values }, index) => (
              <tr key={lines[index]}>
                <td>{lines[index]?.split(":")[0]?.replace("[]", "")}</td>
                <td data-name="Value there">
                  {count === 0 ? (
                    <strong class="fault">not found</strong>
                  ) : (
                    values[0]?.slice(0, 160)
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  )
}

const readingIn = (line: string) => line.slice(line.indexOf(":") + 1).trim()
