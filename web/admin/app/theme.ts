import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import i18next from 'i18next'

/** The accent colour, derived from the blue of the app icon (`icon.svg`). */
const accent: MantineColorsTuple = [
  '#eef4fd',
  '#dbe7f9',
  '#b3cdf2',
  '#88b1ec',
  '#6599e6',
  '#4f8be3',
  '#2f6fd0',
  '#1f5fbf',
  '#194e9e',
  '#123c7d',
]

/** Mantine's red, darkened where it is a background of white text, for sufficient contrast. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#d32f2f',
  '#c92a2a',
  '#b32222',
  '#961b1b',
]

// The header element of a dialog gets the role `presentation`, since it is not a landmark of the page. The props are
// returned by a function, since the language may change between renders. The padding applies to header and body;
// styles.css sets that of the whole dialog to 0.
const dialogProps = () => ({
  attributes: { header: { role: 'presentation' } },
  closeButtonProps: { 'aria-label': i18next.t('common.close') },
  padding: 'xl',
})

const smallSize = { defaultProps: { size: 'sm' } }

/** The Mantine theme of the panel: compact, with one accent colour. */
export const theme = createTheme({
  colors: { accent, red },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.375rem', lineHeight: '1.3' }, h2: { fontSize: '1.0625rem' } },
  },
  // Components are plain objects instead of `Button.extend(…)`: `extend` needs an import of each component, so the
  // first page would load all of them.
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Badge: { defaultProps: { variant: 'dot', tt: 'none', fw: 500, radius: 'sm' } },
    Button: smallSize,
    Drawer: { defaultProps: () => ({ ...dialogProps(), position: 'right', size: 'lg' }) },
    Modal: { defaultProps: () => ({ ...dialogProps(), centered: true }) },
    NumberInput: smallSize,
    Paper: { defaultProps: { withBorder: true, p: 'md' } },
    PasswordInput: {
      defaultProps: () => ({
        size: 'sm',
        visibilityToggleButtonProps: { 'aria-label': i18next.t('signIn.showPassword') },
      }),
    },
    Select: smallSize,
    Table: { defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'sm' } },
    Textarea: smallSize,
    TextInput: smallSize,
    Tooltip: { defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } },
  },
})

/**
 * The CSS variables of both colour schemes: the page background, and colours of dimmed, placeholder and error text
 * with a contrast of at least 4.5:1.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b626a',
    '--mantine-color-placeholder': '#6b727a',
    '--mantine-color-error': '#c92a2a',
    '--panel-ground': '#f7f8fa',
  },
  dark: {
    '--mantine-color-dimmed': '#a9adb3',
    '--mantine-color-placeholder': '#9a9ea4',
    '--mantine-color-error': '#ff8787',
    '--panel-ground': '#1b1b1d',
  },
})
