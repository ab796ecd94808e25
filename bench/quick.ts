/** Whether to check only that the benchmarks run, with too few rounds for meaningful figures. */
export const quick = process.env.DAYBOOK_BENCH_QUICK === '1'
