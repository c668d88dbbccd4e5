import type { Input } from "./keyless.ts"
import { root } from "./shell.ts"

/** The call that a screen makes, as other programs make it. */
export interface ShownCall {
  /** Path and query by which a browser makes it. */
  path: string
  slug: string
  input: Input
}

export const languages = ["curl", "JavaScript", "Python", "MCP"] as const
export type Language = (typeof languages)[number]

const inQuotes = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

export const snippets: Record<Language, (call: ShownCall) => string> = {
  curl: ({ path }) => `curl ${inQuotes(root + path)}`,
  JavaScript: ({ path }) => `const response = await fetch(
  ${JSON.stringify(root + path)},
)
const { status, items } = await response.json()`,
  Python: ({ path }) => {
    const [route, query = ""] = path.split("?")
    const parameters = [...new URLSearchParams(query)]
      .map(([name, value]) => `        (${JSON.stringify(name)}, ${JSON.stringify(value)}),`)
      .join("\n")
    return `import requests

answer = requests.get(
    ${JSON.stringify(root + route)},
    params=[
${parameters}
    ],
).json()
print(answer["status"], answer["items"])`
  },
  MCP: ({ slug, input }) => `# Server (streamable HTTP): ${root}/api/mcp
# tools/call
${JSON.stringify({ name: slug, arguments: input }, null, 2)}`,
}
