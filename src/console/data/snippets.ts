import { root } from "./shell.ts"

type Input = Record<string, unknown>

/** The call that a screen makes, as other programs make it. */
export interface CodeSample {
  /** Path and query by which a browser makes it. */
  path: string
  /** A browser that is signed in needs no key; a program does. */
  needsKey?: boolean
  /** Default: GET, or POST with a body. */
  method?: string
  /** What is sent there. */
  body?: Input
  /** The MCP tool that does the same, if there is one. */
  tool?: { name: string; input: Input }
}

export type Language = "curl" | "JavaScript" | "Python" | "MCP"

const bearer = "Bearer <API_KEY>"
const inQuotes = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const methodOf = ({ method, body }: CodeSample) => method ?? (body ? "POST" : "GET")

function curl(call: CodeSample): string {
  const { path, needsKey, body } = call
  const usual = body ? "POST" : "GET"
  const method = methodOf(call) === usual ? "" : `-X ${methodOf(call)} `
  const key = needsKey ? `-H 'Authorization: ${bearer}' ` : ""
  const json = body ? `--json ${inQuotes(JSON.stringify(body))} ` : ""
  return `curl ${method}${key}${json}${inQuotes(root + path)}`
}

function javaScript(call: CodeSample): string {
  const { path, needsKey, body } = call
  const method = methodOf(call)
  const headers = [
    ...(needsKey ? [`authorization: "${bearer}"`] : []),
    ...(body ? ['"content-type": "application/json"'] : []),
  ]
  const parts = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(body ? [`body: JSON.stringify(${JSON.stringify(body)})`] : []),
    ...(headers.length > 0 ? [`headers: { ${headers.join(", ")} }`] : []),
  ]
  const options = parts.length > 0 ? `\n  { ${parts.join(", ")} },` : ""
  return `const response = await fetch(
  ${JSON.stringify(root + path)},${options}
)${method === "DELETE" ? "" : "\nconst answer = await response.json()"}`
}

function python(call: CodeSample): string {
  const { path, needsKey, body } = call
  const method = methodOf(call).toLowerCase()
  const [route, query = ""] = path.split("?")
  const parameters = [...new URLSearchParams(query)]
    .map(([name, value]) => `\n        (${JSON.stringify(name)}, ${JSON.stringify(value)}),`)
    .join("")
  return `${body ? "import json\n" : ""}import requests

${method === "delete" ? "" : "answer = "}requests.${method}(
    ${JSON.stringify(root + route)},${parameters && `\n    params=[${parameters}\n    ],`}${
      body ? `\n    json=json.loads(${JSON.stringify(JSON.stringify(body))}),` : ""
    }${needsKey ? `\n    headers={"Authorization": "${bearer}"},` : ""}
)${method === "delete" ? "" : ".json()"}`
}

const mcp = ({ name, input }: NonNullable<CodeSample["tool"]>) =>
  `# Server (streamable HTTP): ${root}/api/mcp
# tools/call
${JSON.stringify({ name, arguments: input }, null, 2)}`

/** A call in each language that has it. */
export function snippetsOf(call: CodeSample): [Language, string][] {
  return [
    ["curl", curl(call)],
    ["JavaScript", javaScript(call)],
    ["Python", python(call)],
    ...(call.tool ? [["MCP", mcp(call.tool)] satisfies [Language, string]] : []),
  ]
}
