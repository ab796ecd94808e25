import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The build of the panel. `npx vite web/admin` serves it with hot reload and forwards API requests to a service on
 * its default port.
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
  },
  server: { proxy: { '/admin/api': 'http://127.0.0.1:8080' } },
})
