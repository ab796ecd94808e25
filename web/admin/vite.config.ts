import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

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
  },
  server: { proxy: { '/admin/api': 'http://127.0.0.1:8080' } },
})
