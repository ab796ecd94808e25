// Builds the panel into dist/admin: every file beside its compressed forms, and a digest of the sources.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = join(import.meta.dirname, '..')
// The sources of the panel. Of `src`, the panel imports only rules and types; a change of a file that `notInPanel`
// matches needs no new build.
const sources = ['web/admin', 'web/client.ts', 'src', 'package-lock.json']
const notInPanel = /\.(?:test|sql|operations|routes|job)\.ts$|\.sql$|^src\/(?:cli|db|http|metrics|server)\//
const place = join(root, 'dist', 'admin')
const markFile = '.sources'
// The minimum size in bytes of files that are compressed: a smaller file fits into one packet uncompressed.
const worthCompressing = 1000

/**
 * Builds the panel unless the existing build has the digest of the current sources. In the result, `built` is true
 * after a build and false when the existing build is current. It is undefined where the build tools are not installed,
 * as in an installation without development packages.
 */
export async function buildPanel() {
  const since = performance.now()
  const mark = sourcesMark()
  if (existsSync(join(place, markFile)) && readFileSync(join(place, markFile), 'utf8') === mark) return { built: false }
  if (!hasTools()) return { built: undefined }
  const { build } = await import('vite')
  // The build is written to a folder of its own and then renamed, so that no request reads an incomplete build and two
  // concurrent builds do no harm.
  const beside = `${place}-${randomBytes(4).toString('hex')}`
  await build({
    root: join(root, 'web', 'admin'),
    configFile: join(root, 'web', 'admin', 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: beside, emptyOutDir: true },
  })
  await compressAll(beside)
  await writeFile(join(beside, markFile), mark)
  await rm(place, { recursive: true, force: true })
  await rename(beside, place)
  return { built: true, seconds: (performance.now() - since) / 1000 }
}

/** Returns a SHA-256 digest of the names and contents of the panel's sources. */
function sourcesMark() {
  const hash = createHash('sha256')
  for (const source of sources) {
    const paths = existsSync(join(root, source)) ? globSync([source, `${source}/**/*.*`], { cwd: root }).sort() : []
    for (const path of paths) {
      const name = path.replaceAll('\\', '/')
      if ((path === source && !/\.\w+$/.test(path)) || notInPanel.test(name)) continue
      hash.update(`${name}\n`).update(readFileSync(join(root, path)))
    }
  }
  return hash.digest('hex')
}

function hasTools() {
  const require = createRequire(import.meta.url)
  try {
    require.resolve('vite/package.json')
    return true
  } catch {
    return false
  }
}

async function compressAll(folder) {
  const names = await readdir(folder, { recursive: true })
  await Promise.all(
    names.filter((name) => /\.(?:js|css|svg|json)$/.test(name)).map((name) => compress(join(folder, name))),
  )
}

async function compress(path) {
  const bytes = await readFile(path)
  if (bytes.length < worthCompressing) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
}
