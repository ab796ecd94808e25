/** Whether to look only if the benchmarks run at all: too few rounds for figures that mean anything. */
export const quick = process.env.DAYBOOK_BENCH_QUICK === '1'
