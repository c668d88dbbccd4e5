/** Loads the Parquet library with the first Parquet file. */
export const parquetLibrary = () => import("./parquet-parts.ts")
