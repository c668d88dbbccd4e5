import type { Input } from "./keyless.ts"
import { root } from "./shell.ts"

/** The call that a screen makes, as other programs make it. */
export interface ShownCall {
  /** Path and query by which a browser makes it. */
  path: string
  /** A browser that is signed in needs no key; a program does. */
  needsKey?: boolean
  /** The tool that does the same, where one does. */
  tool?: { name: string; input: Input }
}

export type Language = "curl" | "JavaScript" | "Python" | "MCP"

const bearer = "Bearer <API_KEY>"
const inQuotes = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function curl({ path, needsKey }: ShownCall): string {
  return `curl ${needsKey ? `-H 'Authorization: ${bearer}' ` : ""}${inQuotes(root + path)}`
}

function javaScript({ path, needsKey }: ShownCall): string {
  const options = needsKey ? `\n  { headers: { authorization: "${bearer}" } },` : ""
  return `const response = await fetch(
  ${JSON.stringify(root + path)},${options}
)
const answer = await response.json()`
}

function python({ path, needsKey }: ShownCall): string {
  const [route, query = ""] = path.split("?")
  const parameters = [...new URLSearchParams(query)]
    .map(([name, value]) => `\n        (${JSON.stringify(name)}, ${JSON.stringify(value)}),`)
    .join("")
  return `import requests

answer = requests.get(
    ${JSON.stringify(root + route)},${parameters && `\n    params=[${parameters}\n    ],`}${
      needsKey ? `\n    headers={"Authorization": "${bearer}"},` : ""
    }
).json()`
}

const mcp = ({ name, input }: NonNullable<ShownCall["tool"]>) =>
  `# Server (streamable HTTP): ${root}/api/mcp
# tools/call
${JSON.stringify({ name, arguments: input }, null, 2)}`

/** A call in each language that has it. */
export function snippetsOf(call: ShownCall): [Language, string][] {
  return [
    ["curl", curl(call)],
    ["JavaScript", javaScript(call)],
    ["Python", python(call)],
    ...(call.tool ? [["MCP", mcp(call.tool)] satisfies [Language, string]] : []),
  ]
}
