import type { Words } from '../messages.ts'

/** Texts of connected calendars. */
export const calendars: Pick<Words, 'calendars'> = {
  calendars: {
    title: 'Agendas',
    text: 'Les événements des agendas connectés bloquent les réservations. Les agendas sont lus toutes les {{poll}} minutes ; après {{maxAge}} minutes sans succès, le praticien n’est pas proposé.',
    empty:
      'Aucun agenda n’est connecté. Connectez un agenda privé ou professionnel pour que ses rendez-vous bloquent les réservations.',
    connect: 'Connecter un agenda',
    connectTitle: 'Connecter un agenda',
    editTitle: 'Modifier {{name}}',
    connected_one: '{{name}} est connecté et bloque {{count}} horaire.',
    connected_other: '{{name}} est connecté et bloque {{count}} horaires.',
    states: {
      ok: 'Connecté',
      failing: 'Illisible',
      too_old: 'Trop ancien : non proposé',
      new: 'En cours de lecture',
    },
    fault: 'La dernière fois :',
    tooOldText: 'Sans données à jour, aucun horaire n’est proposé, car rien ne garantit qu’il est libre.',
    lastRead: 'Lu :',
    nextRead: 'prochaine fois :',
    blocks_one: '{{count}} horaire occupé jusqu’au',
    blocks_other: '{{count}} horaires occupés jusqu’au',
    actionsFor: 'Actions pour {{name}}',
    readNow: 'Lire maintenant',
    syncing: 'Lecture de {{name}} en cours.',
    removeTitle: 'Déconnecter {{name}} ?',
    removeText: 'Ses événements ne bloquent plus les réservations. Pour le reconnecter, il vous faut son adresse.',
    removed: '{{name}} est déconnecté.',
    name: 'Nom',
    nameHint: 'Pour distinguer vos agendas, par exemple « Privé »',
    nameMissing: 'Saisissez un nom.',
    address: 'Adresse',
    addressHint:
      'L’adresse secrète de l’agenda au format iCal (ICS), dans les réglages de votre programme d’agenda. Seuls les horaires sont lus, pas les titres.',
    addressKept: 'Laissez vide pour conserver l’adresse chez {{host}}.',
    addressMissing: 'Saisissez l’adresse de l’agenda.',
    blocking: 'Quels événements bloquent, outre ceux marqués occupés',
    blockingHint: 'Les événements de vos réservations ici ne bloquent jamais.',
    kinds: {
      outOfOffice: 'Absent du bureau',
      tentative: 'Provisoire',
      free: 'Libre, ou travail ailleurs',
    },
  },
}
