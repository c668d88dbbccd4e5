import { root } from "./shell.ts"

export type Client = "Claude Code" | "Claude Desktop" | "Cursor" | "VS Code" | "Command line"

interface Configuration {
  /** The file or screen for the text. */
  location: string
  text: string
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** Returns the URL of the MCP endpoint with the chosen tools. */
export const endpointOf = (query: string) => `${root}/api/mcp${query && `?${query}`}`

/**
 * Returns the configuration of a client and the place to paste it. `key`: placeholder for the key.
 */
export function configurationOf(client: Client, url: string, key: string): Configuration {
  const headers = { Authorization: `Bearer ${key}` }
  switch (client) {
    case "Claude Code":
      return {
        location: "In a terminal",
        text: `claude mcp add --transport http trawl '${url}' \\\n  --header 'Authorization: Bearer ${key}'`,
      }
    case "Claude Desktop":
      return {
        location: "claude_desktop_config.json (Settings, Developer, Edit config)",
        text: json({
          mcpServers: {
            trawl: {
              command: "npx",
              args: ["mcp-remote", url, "--header", `Authorization: Bearer ${key}`],
            },
          },
        }),
      }
    case "Cursor":
      return {
        location: "~/.cursor/mcp.json",
        text: json({ mcpServers: { trawl: { url, headers } } }),
      }
    case "VS Code":
      return {
        location: ".vscode/mcp.json",
        text: json({ servers: { trawl: { type: "http", url, headers } } }),
      }
    case "Command line":
      return {
        location: "In a terminal; the run is executed on this server",
        text: `trawl run pypi-package-scraper flask \\\n  --remote ${root} --key ${key}`,
      }
  }
}

export const clients: readonly Client[] = [
  "Claude Code",
  "Claude Desktop",
  "Cursor",
  "VS Code",
  "Command line",
]
