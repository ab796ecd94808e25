import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The panel's build; `npx vite web/admin` serves it with hot reload in front of a service on its usual port. */
export default defineConfig({
  base: '/admin/',
  plugins: [react()],
  build: {
    target: 'es2023',
    // Nothing inline: the page's policy allows files of its own alone.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
  server: { proxy: { '/admin/api': 'http://127.0.0.1:8080' } },
})
