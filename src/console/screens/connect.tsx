import { useEffect, useState } from "preact/hooks"
import { toolCost } from "../data/account.ts"
import { type Brief, catalogue } from "../data/catalogue.ts"
import { type Client, clients, configurationOf, endpointOf } from "../data/clients.ts"
import { type Loaded, useLoaded } from "../hooks/use-loaded.ts"
import { Choice } from "../parts/choice.tsx"
import { Copy } from "../parts/copy.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { SearchField } from "../parts/fields.tsx"
import { Link, type PageLocation, replaceUrl } from "../routing/router.tsx"

type Set = "meta" | "some" | "all"

const sets: readonly [Set, string][] = [
  ["meta", "Search tools"],
  ["some", "Chosen"],
  ["all", "All"],
]
const words: Record<Set, string> = {
  meta: "The model searches for a scraper, then runs it. This needs few tokens, and one more step.",
  some: "The model gets each of these as a tool. Choose only those that you need.",
  all: "Each scraper is a tool. The list takes a large part of the model's context.",
}

/** The configuration to paste into a client, with the chosen tools and their cost in tokens. */
export function Connect({ pageLocation: route }: { pageLocation: PageLocation }) {
  const provided = route.query.get("tools")?.split(",").filter(Boolean) ?? []
  const [set, setSet] = useState<Set>(
    provided.length > 0 ? "some" : route.query.get("set") === "all" ? "all" : "meta",
  )
  const [chosen, setChosen] = useState<readonly string[]>(provided)
  const [client, setClient] = useState<Client>("Claude Code")
  const query =
    set === "meta" ? "set=meta" : set === "some" && chosen.length > 0 ? `tools=${chosen}` : ""
  const isNone = set === "some" && chosen.length === 0
  const list = useLoaded(catalogue, [])
  useEffect(() => {
    document.title = "Connect a client · Trawl"
    replaceUrl(`/connect${query ? `?${query}` : "?set=all"}`)
  }, [query])
  const { location: where, text } = configurationOf(client, endpointOf(query), "<API_KEY>")
  return (
    <>
      <h1>Connect a client</h1>
      <p class="lead">
        Trawl is a server of the Model Context Protocol. Choose the tools, then paste the
        configuration into your client. Replace <code>&lt;API_KEY&gt;</code> with one of your{" "}
        <Link to="/keys">keys</Link>. Without a key, remove the header: calls then use the daily
        free quota.
      </p>
      <section class="box" aria-labelledby="tools">
        <div class="bar">
          <h2 id="tools">Tools</h2>
          <Choice label="Tools" options={sets} value={set} onChange={setSet} />
        </div>
        <p class="muted">{words[set]}</p>
        {set === "some" && <Tools list={list} chosen={chosen} onChange={setChosen} />}
        {isNone ? <p class="muted">No tool is chosen yet.</p> : <Cost query={query} />}
      </section>
      {!isNone && (
        <section aria-labelledby="paste">
          <div class="bar">
            <h2 id="paste">Paste this</h2>
            <Choice
              label="Client"
              options={clients.map((name) => [name, name] as const)}
              value={client}
              onChange={setClient}
            />
          </div>
          <p class="muted">{where}:</p>
          <div class="code-box">
            <pre>
              <code>{text}</code>
            </pre>
            <Copy text={text} />
          </div>
        </section>
      )}
    </>
  )
}

function Cost({ query }: { query: string }) {
  const loaded = useLoaded((signal) => toolCost(query, signal), [query])
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const reported =
    loaded.state === "there"
      ? `${loaded.value.tools} tools, about ${loaded.value.tokens.toLocaleString()} tokens of context`
      : "…"
  return (
    <p aria-live="polite">
      <strong>{reported}</strong>
    </p>
  )
}

interface ToolsProps {
  list: Loaded<Brief[]>
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

function Tools({ list, chosen, onChange }: ToolsProps) {
  const [words, setWords] = useState("")
  if (list.state === "loading") return <p class="muted">Loading …</p>
  if (list.state === "failed") return <ErrorMessage>{list.error.message}</ErrorMessage>
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = list.value.filter(({ slug, name, tagline }) => {
    const text = `${slug} ${name} ${tagline}`.toLowerCase()
    return chosen.includes(slug) || wanted.every((word) => text.includes(word))
  })
  const toggle = (slug: string) =>
    onChange(chosen.includes(slug) ? chosen.filter((other) => other !== slug) : [...chosen, slug])
  return (
    <>
      <SearchField
        id="tool-words"
        placeholder="reviews, prices, packages …"
        value={words}
        onChange={setWords}
      />
      <fieldset class="plain tools">
        <legend class="unseen">Scrapers</legend>
        <div class="grid">
          {matches.map(({ slug, name, tagline }) => (
            <label class="check" key={slug}>
              <input
                type="checkbox"
                checked={chosen.includes(slug)}
                onChange={() => toggle(slug)}
              />
              <span>
                {name} <small class="muted">{tagline}</small>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </>
  )
}
