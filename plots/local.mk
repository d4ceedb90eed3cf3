plotsdir = $(pkgdatadir)/plots
dist_plots_DATA = %D%/style.gp %D%/convergence.gp %D%/ratios.gp %D%/energy.gp
dist_plots_DATA += %D%/mimic-iterations.gp
dist_plots_DATA += %D%/mimic-order.gp
dist_plots_DATA += %D%/mimic-decay.gp
dist_plots_DATA += %D%/mimic-energy.gp
dist_plots_DATA += %D%/mimic-stability.gp
dist_plots_DATA += %D%/mimic-exact.gp
