const units = ["B", "kB", "MB", "GB", "TB"]

/** Formats a size: "1.5 GB". */
export function inBytes(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${unit > 0 && size < 100 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}
