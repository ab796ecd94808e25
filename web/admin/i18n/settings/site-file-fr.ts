import type { Words } from '../messages.ts'

/** Texts of the site file. */
export const siteFile: Pick<Words, 'siteFile'> = {
  siteFile: {
    title: 'Fichier de l’établissement',
    text: 'Tout l’établissement dans un fichier, à conserver, à vérifier ou à transférer.',
    export: 'Exporter',
    exportText: 'Paramètres de l’établissement, prestations et praticiens. Les secrets ne sont pas inclus.',
    withCustomers: 'Inclure les clients',
    withReservations: 'Inclure les réservations et leurs clients',
    import: 'Importer',
    importText:
      'Vous voyez d’abord ce qui changerait. L’application ne supprime rien et se fait en entier ou pas du tout.',
    file: 'Fichier',
    choose: 'Choisir un fichier',
    faults: 'Erreurs dans le fichier',
    apply: 'Appliquer',
    applied: 'Fichier de l’établissement appliqué.',
    nothing: 'Ce fichier ne changerait rien.',
    site: 'Paramètres de l’établissement',
    parts: { services: 'Prestations', providers: 'Praticiens', customers: 'Clients', reservations: 'Réservations' },
    added: '{{count}} ajoutés',
    changed: '{{count}} modifiés',
  },
}
