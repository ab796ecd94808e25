import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'

/**
 * The chunks that several screens share. Without groups, each set of screens that uses a module in common has a chunk
 * of its own, so that a screen would load more than a hundred files.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  { name: 'panel', tags: ['$initial'], priority: 2 },
  { name: 'charts', test: /node_modules[\\/]recharts[\\/]/, priority: 1 },
  {
    name: 'shared',
    // Texts and large libraries stay apart: they are loaded for one language, or when they are first needed.
    test: (path: string) => !/[\\/](?:i18n|@mantine[\\/]charts)[\\/]/.test(path),
    maxModuleSize: 100_000,
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 20_000,
  },
]

/**
 * The build of the panel. The development server (`npx vite web/admin`) serves the panel with hot reload and forwards
 * its API requests to a service on 127.0.0.1:8080, the default port.
 */
export default defineConfig({
  base: '/admin/',
  plugins: [react()],
  build: {
    target: 'es2023',
    // The content security policy of the panel forbids most inline assets, such as fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // The name of a shared chunk would list every screen that uses it.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${names[0]?.split(/[.~]/)[0]}-[hash].[ext]`,
        codeSplitting: { groups },
      },
    },
  },
  server: { proxy: { '/admin/api': 'http://127.0.0.1:8080' } },
})
