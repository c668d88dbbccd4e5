export async function blockingModules(
  _root: string,
  _folder: string,
): Promise<Record<string, string>> {
  return {}
}
