/** Loaded with the first Parquet file that somebody wants. */
export const parquetLibrary = () => import("./parquet-parts.ts")
