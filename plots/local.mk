plotsdir = $(pkgdatadir)/plots
dist_plots_DATA = %D%/style.gp %D%/convergence.gp %D%/ratios.gp %D%/energy.gp
