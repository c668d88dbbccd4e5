import {
  integerOrNull,
  isoFromUnix,
  numberOrNull,
  textList,
  textOrNull,
} from "../../extract/core/index.ts"
import { at, balancedText, parseLiteral, parseLoose } from "../../extract/embedded/index.ts"
import type { StoreLayout } from "./layout.ts"
import { ratingFields, sizeFields } from "./values.ts"

/**
 * Returns the extension's fields of the page's data, or undefined if the data is of another
 * extension.
 * Positions shift when Google adds fields, so a value is used only if it has the expected type.
 */
export function fromInitData(html: string, id: string, { itemAt, pageAt }: StoreLayout) {
  const data = initData(html)
  const item = data?.[pageAt.item]
  if (!data || !Array.isArray(item) || item[itemAt.id] !== id) return undefined
  const manifest = manifestOf(item[itemAt.manifest])
  return {
    name: textOrNull(item[itemAt.name]),
    summary: textOrNull(item[itemAt.summary]),
    description: textOrNull(data[pageAt.description]),
    version: matching(data[pageAt.version], /^\d+(?:\.\d+)*$/) ?? textOrNull(manifest?.version),
    users: integerOrNull(item[itemAt.users]),
    ...ratingFields(numberOrNull(item[itemAt.rating]), integerOrNull(item[itemAt.ratingCount])),
    category: textOrNull(at(item, itemAt.category, 0)),
    iconUrl: url(item[itemAt.icon]),
    tileUrl: url(item[itemAt.tile]),
    featureImageUrl: url(item[itemAt.featureImage]),
    screenshots: listOf(data[pageAt.screenshots])?.flatMap((shot) => url(at(shot, 1)) ?? []),
    homepage: url(item[itemAt.homepage]),
    developerName: textOrNull(at(data, pageAt.developer, 5)),
    developerEmail: matching(at(data, pageAt.developer, 0), /^\S+@\S+$/),
    ...sizeFields(textOrNull(data[pageAt.size])),
    languages: textList(data.at(-1)),
    languageNames: textList(data[pageAt.languageNames]),
    minChromeVersion: matching(data[pageAt.minChromeVersion], /^\d+(?:\.\d+)*$/),
    publishedAt: isoFromUnix(at(item, itemAt.published, 0)),
    updatedAt: isoFromUnix(at(data, pageAt.updated, 0)),
    ...manifestFields(manifest),
  }
}

function initData(html: string): unknown[] | undefined {
  const call = /AF_initDataCallback\(\s*\{\s*key:\s*['"]ds:0['"][^[{]*?data:\s*(?=\[)/.exec(html)
  const source = call && balancedText(html, call.index + call[0].length)
  if (!source) return undefined
  const data = parseLoose(source) ?? parseLiteral(source)
  return Array.isArray(data) ? data : undefined
}

type Manifest = Record<string, unknown>

function manifestOf(value: unknown): Manifest | null {
  const manifest = typeof value === "string" ? parseLoose(value) : undefined
  return typeof manifest === "object" ? (manifest as Manifest | null) : null
}

function manifestFields(manifest: Manifest | null) {
  if (!manifest) return {}
  return {
    manifestVersion: integerOrNull(manifest.manifest_version),
    permissions: textList(manifest.permissions),
    hostPermissions: textList(manifest.host_permissions),
    optionalPermissions: textList(manifest.optional_permissions),
  }
}

function matching(value: unknown, pattern: RegExp): string | null {
  return typeof value === "string" && pattern.test(value) ? value : null
}

function url(value: unknown): string | null {
  return matching(value, /^https?:\/\/\S+$/)
}

function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}
