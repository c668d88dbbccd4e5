import { root } from "./shell.ts"

type Input = Record<string, unknown>

/** The call of a screen, for use in a program. */
export interface CodeSample {
  /** Path and query. */
  path: string
  /** Whether a program needs an API key. */
  needsKey?: boolean
  /** Default: GET, or POST with a body. */
  method?: string
  /** The JSON body. */
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

/** Whether the call starts a run, whose items are read by a second call. */
const startsRun = (call: CodeSample) =>
  methodOf(call) === "POST" && call.path.includes("/runs?waitForFinish=")

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
  const request = `const response = await fetch(\n  ${JSON.stringify(root + path)},${options}\n)`
  if (method === "DELETE") return request
  if (!startsRun(call)) return `${request}\nconst result = await response.json()`
  return `${request}
const run = await response.json()
const list = await fetch(run.datasetItemsUrl, { headers: { authorization: "${bearer}" } })
const { items } = await list.json()`
}

/** Returns a JSON value as a Python literal. */
function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return "None"
  if (typeof value === "boolean") return value ? "True" : "False"
  if (typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`
  const entries = Object.entries(value).filter(([, of]) => of !== undefined)
  return `{${entries.map(([name, of]) => `${JSON.stringify(name)}: ${pythonLiteral(of)}`).join(", ")}}`
}

function python(call: CodeSample): string {
  const { path, needsKey, body } = call
  const method = methodOf(call).toLowerCase()
  const [route, query = ""] = path.split("?")
  const parameters = [...new URLSearchParams(query)]
    .map(([name, value]) => `\n        (${JSON.stringify(name)}, ${JSON.stringify(value)}),`)
    .join("")
  const headers = `headers={"Authorization": "${bearer}"}`
  const request = `requests.${method}(
    ${JSON.stringify(root + route)},${parameters && `\n    params=[${parameters}\n    ],`}${
      body ? `\n    json=${pythonLiteral(body)},` : ""
    }${needsKey ? `\n    ${headers},` : ""}
)`
  if (method === "delete") return `import requests\n\n${request}`
  if (!startsRun(call)) return `import requests\n\nresult = ${request}.json()`
  return `import requests

run = ${request}.json()
items = requests.get(run["datasetItemsUrl"], ${headers}).json()["items"]`
}

const mcp = ({ name, input }: NonNullable<CodeSample["tool"]>) =>
  `# Server (streamable HTTP): ${root}/api/mcp
# tools/call
${JSON.stringify({ name, arguments: input }, null, 2)}`

/** Returns the call in each language. */
export function snippetsOf(call: CodeSample): [Language, string][] {
  return [
    ["curl", curl(call)],
    ["JavaScript", javaScript(call)],
    ["Python", python(call)],
    ...(call.tool ? [["MCP", mcp(call.tool)] satisfies [Language, string]] : []),
  ]
}
