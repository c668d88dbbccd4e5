import { ApiError } from "../http/errors.ts"
import type { OpenApiDocument } from "./openapi.ts"

/**
 * Returns the document with the routes below a path alone, and the schemas that they name.
 * @throws ApiError 404 for a path that no route begins with
 */
export function pathsBelow(document: OpenApiDocument, prefix: string): OpenApiDocument {
  const wanted = prefix.startsWith("/") ? prefix : `/${prefix}`
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => path.startsWith(wanted)),
  )
  if (Object.keys(paths).length === 0) {
    const roots = new Set(Object.keys(document.paths).map((path) => path.split("/", 3).join("/")))
    const known = [...roots].sort().slice(0, maxNamed).join(", ")
    throw new ApiError(404, `No route begins with "${wanted.slice(0, 100)}". There are ${known} …`)
  }
  const schemas: Record<string, unknown> = {}
  collect(paths, document.components.schemas, schemas)
  const tags = new Set(
    Object.values(paths).flatMap((routes) => Object.values(routes).flatMap((route) => route.tags)),
  )
  return {
    ...document,
    tags: document.tags.filter(({ name }) => tags.has(name)) as unknown as OpenApiDocument["tags"],
    paths,
    components: { ...document.components, schemas },
  }
}

const maxNamed = 20
const reference = /"\$ref":"#\/components\/schemas\/([^"]+)"/g

/** Adds the schemas that a part of the document names, and those that these name. */
function collect(part: unknown, all: Record<string, unknown>, collected: Record<string, unknown>) {
  for (const [, name] of JSON.stringify(part).matchAll(reference)) {
    if (name === undefined || name in collected || !Object.hasOwn(all, name)) continue
    collected[name] = all[name]
    collect(all[name], all, collected)
  }
}

/** Returns the document as Markdown, a line for each route: what it does, what it takes, what it answers. */
export function asMarkdown({ paths, servers }: OpenApiDocument): string {
  const root = servers[0]?.url ?? ""
  const lines = [
    "# Trawl API",
    "",
    `Root: ${root}. Schemas of a route: ${root}/openapi.json?path={path}. Keys: \`Authorization: Bearer\`.`,
  ]
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({ path, method, route })),
  )
  const byTag = Map.groupBy(routes, ({ route }) => route.tags[0] ?? "Other")
  for (const [tag, ofTag] of byTag) {
    lines.push("", `## ${tag}`, "")
    for (const { path, method, route } of ofTag) {
      const query = route.parameters.filter((one) => one.in === "query")
      const names = query.map(({ name, required }) => `${name}${required ? "" : "?"}`)
      const parameters = names.length > 0 ? ` (${names.join(", ")})` : ""
      const body = route.requestBody ? " Takes a body." : ""
      lines.push(`- \`${method.toUpperCase()} ${path}\`${parameters}: ${route.summary}.${body}`)
    }
  }
  return `${lines.join("\n")}\n`
}
